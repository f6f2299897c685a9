/** A small fault, planted in the sources, and the test that must find it. */
export interface Mutation {
  /** The row of docs/faults.md; the test that has to fail bears it in its name. */
  readonly fault: string
  /** What is wrong now, in a few words. */
  readonly plants: string
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The file of the test. */
  readonly test: string
  /** The test drives built processes: the copy is built before it runs. */
  readonly needsBuild?: true
}

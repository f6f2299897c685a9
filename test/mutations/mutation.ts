/** A small fault, planted in the sources, and the test that must find it. */
export interface Mutation {
  /**
   * The row of docs/faults.md, or the rule of docs/rules.md where no server ever had the fault; the test that has to fail
   * bears it in its name.
   */
  readonly fault: string
  /** What is wrong now, in a few words. */
  readonly plants: string
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The file of the test. */
  readonly test: string
}

/** Why a fault cannot be planted in a file; null: it can. */
export function problemOfPlanting({ find }: Mutation, source: string): string | null {
  const places = source.split(find).length - 1
  return places === 1 ? null : `its text stands ${places} times in the file, not once`
}

/** Whether the name of a test bears a row's id. */
export const bears = (name: string, fault: string): boolean =>
  new RegExp(`\\b${fault}\\b`).test(name)

/** A viewer could tell two runs apart that are equal to it. */
export class Leak extends Error {
  override readonly name = 'Leak'
}

/** The first of the numbered names that nothing has. */
export function freeName(taken: readonly string[], nameOf: (n: number) => string): string {
  for (let n = 1; ; n++) {
    const name = nameOf(n)
    if (!taken.includes(name)) return name
  }
}

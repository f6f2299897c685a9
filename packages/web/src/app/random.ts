/** In [0, 1), from the browser's cryptographic source. */
export function random(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number / 2 ** 32
}

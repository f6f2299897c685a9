/** The file that was chosen in a field. The field forgets it, so that the same can be chosen again. */
export function takeFile(field: HTMLInputElement): File | null {
  const file = field.files?.[0] ?? null
  field.value = ''
  return file
}

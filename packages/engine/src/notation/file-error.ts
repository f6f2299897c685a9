import { err, type Result } from '../result.ts'

/** Why bytes are not the file they should be: where, and in one sentence what was expected there. */
export interface FileError {
  readonly offset: number
  readonly message: string
}

/** `0x1a`: offsets as hex editors show them. */
export const formatOffset = (offset: number): string => `0x${offset.toString(16)}`

/** The refusal of the byte at `offset`, which says what is there instead; past the end, of the end. */
export function unexpectedByte(
  bytes: Uint8Array,
  offset: number,
  expected: string,
): Result<never, FileError> {
  const byte = bytes[offset]
  if (byte === undefined) {
    return fileError(bytes.length, `expected ${expected}, found the end of the file`)
  }
  return fileError(offset, `expected ${expected}, found ${formatByte(byte)}`)
}

const formatByte = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`

/** A refusal whose sentence starts with the offset. */
export const fileError = (offset: number, sentence: string): Result<never, FileError> =>
  err({ offset, message: `at ${formatOffset(offset)}: ${sentence}` })

/** The offset of the first byte that differs from `expected` (given as Latin-1 text), or null. */
export function firstDifference(bytes: Uint8Array, expected: string): number | null {
  for (let i = 0; i < expected.length; i++) {
    if (bytes[i] !== expected.charCodeAt(i)) return i
  }
  return null
}

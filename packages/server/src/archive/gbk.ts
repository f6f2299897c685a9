const LEADS = { from: 0x81, to: 0xfe }
const TRAILS = { from: 0x40, to: 0xfe }
const NOT_A_CHARACTER = '\ufffd'
const INSTEAD = 0x3f

let table: ReadonlyMap<string, number> | null = null

/**
 * A text in GBK, as QQ's files have their names: as many whole characters as there is place for, `?` for those that GBK
 * has not. The platform only decodes it, so its table is turned round, once it is needed.
 */
export function encodeGbk(text: string, mostBytes: number): Uint8Array {
  table ??= makeTable()
  const bytes: number[] = []
  for (const character of text) {
    const code = character <= '\x7f' ? character.charCodeAt(0) : (table.get(character) ?? INSTEAD)
    const more = code > 0xff ? [code >> 8, code & 0xff] : [code]
    if (bytes.length + more.length > mostBytes) break
    bytes.push(...more)
  }
  return Uint8Array.from(bytes)
}

/** By character its two bytes; where two have one meaning, the first. */
function makeTable(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('gbk')
  const codes = new Map<string, number>()
  for (let lead = LEADS.from; lead <= LEADS.to; lead++) {
    for (let trail = TRAILS.from; trail <= TRAILS.to; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail))
      const isOne = [...character].length === 1 && character !== NOT_A_CHARACTER
      if (isOne && !codes.has(character)) codes.set(character, (lead << 8) | trail)
    }
  }
  return codes
}

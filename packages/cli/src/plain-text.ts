/** What a terminal obeys instead of showing it, and what turns the direction of the text around it. */
const ACTING = /[^\P{C}\n\t]/gu
const BREAKS = /[\n\t]/g

/** Text in which a terminal finds nothing to obey: such characters are written as JSON writes them, which keeps JSON as it is. */
export const plainText = (text: string): string => text.replace(ACTING, escaped)

/** The same of what is to stay on its line: what somebody else wrote cannot look like a line of ours. */
export const plainLine = (text: string): string => plainText(text).replace(BREAKS, escaped)

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

import type { Refusal } from '@junqi/client'
import type { Catalogue } from './zh.ts'

/** A refusal in the words of the page. Of the server's own sentence it takes what a player has written, and figures. */
export function refusalIn(words: Catalogue, { code, message }: Refusal): string {
  const { errors } = words
  switch (code) {
    case 'bad_message':
      return aboutField(words, message) ?? errors.bad_message
    case 'bad_rules':
      return [errors.bad_rules, ...aboutRule(words, message)].join(' ')
    case 'banned':
      return [errors.banned, ...aboutBan(words, message)].join(' ')
    default:
      return errors[code]
  }
}

const has = <T extends object>(all: T, key: string): key is keyof T & string =>
  Object.hasOwn(all, key)

/** The server names what is wrong by its path: `body.name: …`, `body.name is missing: …`. */
function aboutField({ refused: { fields } }: Catalogue, message: string): string | null {
  const field = /^\w+\.(\w+)(?: is missing)?: /.exec(message)?.[1] ?? ''
  return has(fields, field) ? fields[field] : null
}

/** The server begins with the field of the rules: `turnSeconds must be …`. */
function aboutRule({ refused, rules: { fields } }: Catalogue, message: string): readonly string[] {
  const field = /^\w+/.exec(message)?.[0] ?? ''
  return has(fields, field) ? [refused.rule(fields[field].name)] : []
}

/** For how long yet, and why, as far as the server tells. */
function aboutBan({ refused }: Catalogue, message: string): readonly string[] {
  const left = / for (?<count>\d+) more (?<unit>day|hour|minute)s?\./.exec(message)?.groups
  const why = / Why: (?<reason>.+)$/s.exec(message)?.groups?.reason
  const unit = (['day', 'hour', 'minute'] as const).find((each) => each === left?.unit)
  return [
    ...(unit === undefined ? [] : [refused.bannedFor(Number(left?.count), unit)]),
    ...(why === undefined ? [] : [refused.why(why)]),
  ]
}

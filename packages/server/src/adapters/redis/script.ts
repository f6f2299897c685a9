import { createHash } from 'node:crypto'

/** A Lua script that Redis knows by its digest once it has run it. */
export interface Script {
  readonly source: string
  readonly digest: string
}

export function makeScript(source: string): Script {
  return { source, digest: createHash('sha1').update(source).digest('hex') }
}

/** Lua: `micros`, Redis's time in microseconds as text; unlike a Lua number it is never rounded. */
export const MICROS = `
local time = redis.call('TIME')
local micros = string.format('%d%06d', time[1], time[2])`

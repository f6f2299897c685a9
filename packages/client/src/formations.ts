import type { Formation, Result } from '@junqi/engine'
import {
  type KeptFormations,
  keptFormations,
  looseFormation,
  type NamedFormation,
  namedFormation,
} from '@junqi/protocol'
import { bytesOf, type Call, call, type HttpAccess, jsonOf } from './http-call.ts'
import type { Refusal } from './refusal.ts'

type Answer<T> = Promise<Result<T, Refusal>>

/** A player's own formations on the server: nobody else sees them. */
export interface Formations {
  /** All of them, and what the player last handed in, by preset. */
  list(): Answer<KeptFormations>
  get(name: string): Answer<NamedFormation>
  /** Keeps a formation, in place of another of that name. */
  put(name: string, formation: Formation): Answer<NamedFormation>
  remove(name: string): Answer<null>
  /** The bytes of QQ's `.jql` file. */
  getJql(name: string): Answer<Uint8Array>
  putJql(name: string, bytes: Uint8Array): Answer<NamedFormation>
  /** A valid one by chance. */
  random(options?: { readonly bombFrontRow?: boolean }): Answer<Formation>
}

/** The formations of the player whose token this is. To mirror one, the engine's `mirrorFormation` needs no server. */
export function formationsOf(access: HttpAccess): Formations {
  const at = (name: string, file = ''): string => `v1/formations/${encodeURIComponent(name)}${file}`
  const named = (asked: Call) => call(access, asked, jsonOf(namedFormation))
  return {
    list: () => call(access, { path: 'v1/formations' }, jsonOf(keptFormations)),
    get: (name) => named({ path: at(name) }),
    put: (name, formation) => named({ method: 'PUT', path: at(name), json: { formation } }),
    remove: async (name) => {
      const removed = await call(access, { method: 'DELETE', path: at(name) }, async () => true)
      return removed.ok ? { ok: true, value: null } : removed
    },
    getJql: (name) => call(access, { path: at(name, '/jql') }, bytesOf),
    putJql: (name, bytes) => named({ method: 'PUT', path: at(name, '/jql'), bytes }),
    random: async ({ bombFrontRow = false } = {}) => {
      const path = `v1/random-formation?bombFrontRow=${bombFrontRow}`
      const made = await call(access, { path }, jsonOf(looseFormation))
      return made.ok ? { ok: true, value: made.value.formation } : made
    },
  }
}

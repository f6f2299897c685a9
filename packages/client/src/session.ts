import { ok, type Result } from '@junqi/engine'
import { type Admission, meta, type Player, session } from '@junqi/protocol'
import { type Environment, systemEnvironment } from './environment.ts'
import { call, jsonOf } from './http-call.ts'
import type { Refusal } from './refusal.ts'

/** Whose the token is; null: the browser sends its cookie. Refused as `unauthorized` where it is nobody's. */
export async function readSession(
  url: string,
  token: string | null,
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Player, Refusal>> {
  const told = await call({ url, token, environment }, { path: 'v1/session' }, jsonOf(session))
  return told.ok ? ok(told.value.player) : told
}

/** How one comes in at the server at `url`: as a guest, by its identity provider, or either way. */
export async function readAdmission(
  url: string,
  environment: Pick<Environment, 'fetch'> = systemEnvironment,
): Promise<Result<Admission, Refusal>> {
  const told = await call({ url, token: null, environment }, { path: 'v1/meta' }, jsonOf(meta))
  return told.ok ? ok(told.value.admission) : told
}

import { createRemoteJWKSet } from 'jose'
import type { ProviderConfig } from '../config.ts'
import { reasonOf } from '../players/provider-keys.ts'
import { bad, type Finding, good } from './finding.ts'

const ABOUT = 'identity provider'
const MEND = 'see JUNQI_JWT_JWKS_URL, and whether this machine may reach it'

/** Whether the keys are where the settings say. */
export async function examineProvider({ jwksUrl }: ProviderConfig): Promise<Finding> {
  const remote = createRemoteJWKSet(new URL(jwksUrl))
  try {
    await remote.reload()
  } catch (error) {
    return bad(ABOUT, `it does not give its keys: ${reasonOf(error)}`, MEND)
  }
  const count = remote.jwks()?.keys.length ?? 0
  if (count === 0) return bad(ABOUT, 'it gives no key at all, and nobody could come in', MEND)
  return good(ABOUT, `its keys can be read, ${count} of them`)
}

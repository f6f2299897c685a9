import { err, ok, type Result } from '@junqi/engine'
import { loadConfig } from './config.ts'

/** Where a server with these settings has its admin port; the error says why that cannot be told. */
export function adminAddress(
  env: Readonly<Record<string, string | undefined>>,
): Result<string, string> {
  const config = loadConfig(env)
  if (!config.ok) return config
  const { adminHost, adminPort } = config.value
  if (adminPort === 0)
    return err('The admin port is any free one: the start line of the server names it.')
  return ok(`http://${callable(adminHost)}:${adminPort}`)
}

/** An address to call for one to listen at. */
export function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

import { type Config, isThisMachine, loadConfig, SETTINGS } from '../config.ts'
import { examineLmdb } from './examine-lmdb.ts'
import { examinePort } from './examine-port.ts'
import { examineFiles } from './examine-process.ts'
import { examineProvider } from './examine-provider.ts'
import { examineRedis } from './examine-redis.ts'
import { bad, doubtful, type Finding, good } from './finding.ts'

/**
 * Looks at all that a server with the settings of an environment needs, without starting one. It may run beside a server,
 * and changes nothing that is kept.
 */
export async function examineServer(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  const loaded = loadConfig(env)
  if (!loaded.ok)
    return loaded.error
      .split('\n')
      .map((problem) =>
        bad(
          'settings',
          withoutStop(problem),
          'correct it, and ask again: nothing else was looked at',
        ),
      )
  const config = loaded.value
  const { host, port, adminHost, adminPort } = config
  const door = await examinePort({ prefix: 'JUNQI', host, port })
  const admin = await examinePort({ prefix: 'JUNQI_ADMIN', host: adminHost, port: adminPort })
  const given = SETTINGS.filter((name) => env[name] !== undefined).length
  return [
    good('settings', `${given} of ${SETTINGS.length} are given, and all can be used`),
    door.finding,
    admin.finding,
    ...examineAdminHost(config),
    ...(await examineFiles(config.limits.connections)),
    ...(await examineStore(config, door.isServed)),
    ...(config.provider === null ? [] : [await examineProvider(config.provider)]),
  ]
}

/** Metrics, and with a token the admin routes, are for who runs the server. */
function examineAdminHost({ adminHost }: Config): readonly Finding[] {
  if (isThisMachine(adminHost)) return []
  return [
    doubtful(
      'JUNQI_ADMIN_HOST',
      `the admin port can be reached from other machines, at ${adminHost}`,
      'set it to 127.0.0.1, or see that a firewall or a network of its own keeps everyone else out',
    ),
  ]
}

async function examineStore(config: Config, isServed: boolean): Promise<readonly Finding[]> {
  if (config.redis !== null) return examineRedis(config.redis, config)
  if (config.store === 'lmdb') return examineLmdb(config.dataDir, isServed)
  return [
    doubtful(
      'store',
      'everything is in memory only, and gone at the end',
      'set JUNQI_STORE to lmdb or redis for games that are to be kept',
    ),
  ]
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

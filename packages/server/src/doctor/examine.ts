import { type Config, loadConfig, SETTINGS } from '../config.ts'
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
  const given = SETTINGS.filter((name) => env[name] !== undefined).length
  return [
    good('settings', `${given} of ${SETTINGS.length} are given, and all can be used`),
    await examinePort({ prefix: 'JUNQI', host: config.host, port: config.port }),
    await examinePort({ prefix: 'JUNQI_ADMIN', host: config.adminHost, port: config.adminPort }),
    ...(await examineFiles(config.limits.connections)),
    ...(await examineStore(config)),
    ...(config.provider === null ? [] : [await examineProvider(config.provider)]),
  ]
}

async function examineStore(config: Config): Promise<readonly Finding[]> {
  if (config.redis !== null) return examineRedis(config.redis, config)
  if (config.store === 'lmdb') return examineLmdb(config.dataDir)
  return [
    doubtful(
      'store',
      'everything is in memory only, and gone at the end',
      'set JUNQI_STORE to lmdb or redis for games that are to be kept',
    ),
  ]
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

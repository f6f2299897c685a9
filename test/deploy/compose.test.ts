import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '@junqi/server'
import { describe, expect, test } from 'vitest'
import { fileOf, nodesOf, readCompose, type Service } from './compose-file.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })

function service(name: string): Service {
  const found = readCompose().services[name]
  if (found === undefined) throw new Error(`no service ${name}`)
  return found
}

function configOf({ environment }: Service) {
  const loaded = loadConfig(environment)
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

/** The lines of the proxy's settings that begin so. */
const proxyLines = (keyword: string): readonly string[] =>
  fileOf('deploy/haproxy.cfg')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`${keyword} `))

describe('docker-compose.yml', () => {
  test('has the form of the Compose Specification, for each client of it that is here too', () => {
    expect(Object.keys(readCompose().services)).toEqual(['redis', 'node-1', 'node-2', 'entry'])
    for (const client of [['docker', 'compose'], ['docker-compose']]) {
      const [command = '', ...args] = client
      if (run(command, [...args, 'version']).status !== 0) continue
      const { status, stderr } = run(command, [...args, '-f', 'docker-compose.yml', 'config', '-q'])
      expect([client, status, stderr]).toEqual([client, 0, ''])
    }
  })

  test('a service is built here or fetched, never both: two builds of one name at once fail', () => {
    for (const [name, { build, image }] of Object.entries(readCompose().services))
      expect([name, build === undefined]).toEqual([name, image !== undefined])
  })

  test('whoever is waited for has a health check', () => {
    const { services } = readCompose()
    for (const { depends_on } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect([name, condition]).toEqual([name, 'service_healthy'])
        expect(services[name]?.healthcheck).toBeDefined()
      }
    }
  })

  test('what is mounted is there: a volume that it names, or a file of the checkout', () => {
    const { services, volumes } = readCompose()
    for (const mount of Object.values(services).flatMap((each) => each.volumes)) {
      const [source = ''] = mount.split(':')
      expect(source.startsWith('./') ? existsSync(`${ROOT}/${source}`) : source in volumes).toBe(
        true,
      )
    }
  })

  test('only the entry can be reached from outside, at JUNQI_PORT', () => {
    const published = (variables = {}) =>
      Object.entries(readCompose(variables).services).flatMap(([name, { ports }]) =>
        ports.map((port) => `${name} ${port}`),
      )
    expect(published()).toEqual(['entry 8080:8080'])
    expect(published({ JUNQI_PORT: '9000' })).toEqual(['entry 9000:8080'])
  })

  test('the nodes are alike, take their settings, and require a durable Redis', () => {
    const nodes = [...nodesOf(readCompose()).values()]
    expect(nodes.length).toBeGreaterThanOrEqual(2)
    for (const node of nodes) {
      expect(node).toEqual(nodes[0])
      expect(configOf(node)).toMatchObject({ store: 'redis', requireDurable: true, port: 8080 })
    }
  })

  test('what a deployer may set reaches the nodes', () => {
    const set = {
      JUNQI_ORIGINS: 'https://a.example',
      JUNQI_LOG_LEVEL: 'debug',
      JUNQI_ADMIN_TOKEN: 'sixteen-letters-at-least',
      JUNQI_GUESTS: 'false',
      JUNQI_JWT_ISSUER: 'https://login.example/',
      JUNQI_JWT_AUDIENCE: 'junqi',
      JUNQI_JWT_JWKS_URL: 'https://login.example/keys',
      JUNQI_JWT_LOGIN_URL: 'https://login.example/',
    }
    for (const { environment } of nodesOf(readCompose(set)).values())
      expect(environment).toMatchObject(set)
  })

  test('F-C4: Redis syncs every write before it answers, and throws nothing away', () => {
    const command = service('redis').command ?? []
    const argument = (name: string) => command[command.indexOf(`--${name}`) + 1]
    expect(command[0]).toBe('redis-server')
    expect(argument('appendonly')).toBe('yes')
    expect(argument('appendfsync')).toBe('always')
    expect(argument('no-appendfsync-on-rewrite')).toBe('no')
    expect(argument('maxmemory-policy')).toBe('noeviction')
    expect(service('redis').volumes).toEqual(['redis-data:/data'])
  })

  test('the nodes believe the entry about addresses, and nobody outside', () => {
    const { trustedProxies } = configOf(service('node-1'))
    expect(['172.18.0.5', '192.168.0.5', '10.0.1.5'].every((ip) => trustedProxies.check(ip))).toBe(
      true,
    )
    expect(trustedProxies.check('203.0.113.9')).toBe(false)
    expect(proxyLines('http-request set-header X-Forwarded-For')).toEqual([
      'http-request set-header X-Forwarded-For %[src]',
    ])
  })
})

describe('the entry', () => {
  test('has settings that HAProxy takes, where there is one', () => {
    if (run('haproxy', ['-v']).status === 0)
      expect(run('haproxy', ['-c', '-q', '-f', 'deploy/haproxy.cfg']).status).toBe(0)
    expect(proxyLines('bind')).toEqual(['bind :8080'])
  })

  test('balances over all nodes, and asks each whether it is ready', () => {
    const servers = [...nodesOf(readCompose())].map(
      ([name, { environment }]) => `server ${name} ${name}:${environment.JUNQI_PORT}`,
    )
    expect(proxyLines('server')).toEqual(servers)
    expect(proxyLines('option httpchk')).toEqual(['option httpchk GET /readyz'])
    expect(proxyLines('default-server')[0]).toMatch(/^default-server check /)
  })

  test('F-D1: leaves no WebSocket because it is quiet for two pings', () => {
    const [tunnel] = proxyLines('timeout tunnel')
    expect(Number(/ (\d+)s$/.exec(tunnel ?? '')?.[1])).toBeGreaterThan(2 * 15)
  })

  test('waits no longer for its connections than Compose waits for it', () => {
    const [hardStop] = proxyLines('hard-stop-after')
    const seconds = (text: string | undefined) => Number(/(\d+)s$/.exec(text ?? '')?.[1])
    expect(seconds(hardStop)).toBeLessThan(seconds(service('entry').stop_grace_period))
  })
})

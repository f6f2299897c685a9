import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fileOf, nodesOf, readCompose } from './compose-file.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The instructions of the Dockerfile, each on one line. */
const INSTRUCTIONS = fileOf('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
/** Those of the stage that is shipped. */
const SHIPPED = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex((line) => line.startsWith('FROM ')))

const argumentsOf = (lines: readonly string[], instruction: string): readonly string[] =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))

/** What is copied from the checkout. */
const COPIED = argumentsOf(INSTRUCTIONS, 'COPY')
  .filter((copy) => !copy.startsWith('--from'))
  .flatMap((copy) => copy.split(' ').slice(0, -1))

const IGNORE = fileOf('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

describe('Dockerfile', () => {
  test('builds with an even, and so a long-term, Node that the packages allow', () => {
    const [major] = argumentsOf(INSTRUCTIONS, 'ARG').map((arg) =>
      Number(/^NODE=(\d+)$/.exec(arg)?.[1]),
    )
    expect(major).toBeGreaterThanOrEqual(20)
    expect(Number(major) % 2).toBe(0)
    for (const from of argumentsOf(INSTRUCTIONS, 'FROM')) expect(from).toMatch(/^node:\$\{NODE\}-/)
  })

  test('copies what is there, and what .dockerignore lets through', () => {
    const allowed = IGNORE.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(IGNORE[0]).toBe('*')
    for (const path of COPIED) {
      expect([path, existsSync(ROOT + path)]).toEqual([path, true])
      expect([path, allowed.some((each) => path === each || path.startsWith(`${each}/`))]).toEqual([
        path,
        true,
      ])
    }
  })

  test('lets in no dependencies, builds or tests of the checkout', () => {
    for (const pattern of ['**/node_modules', '**/dist', '**/test'])
      expect(IGNORE).toContain(pattern)
  })

  test('installs for every package, from the lock file', () => {
    const packages = readdirSync(`${ROOT}/packages`)
    for (const name of packages) expect(COPIED).toContain(`packages/${name}/package.json`)
    expect(argumentsOf(INSTRUCTIONS, 'RUN')[0]).toMatch(/^npm ci --ignore-scripts /)
  })

  test('runs the server as an ordinary user, who gets the signals himself', () => {
    expect(argumentsOf(SHIPPED, 'USER')).toEqual(['node'])
    const command = '["node", "--max-semi-space-size=32", "packages/server/dist/main.js"]'
    expect(argumentsOf(SHIPPED, 'CMD')).toEqual([command])
    expect(argumentsOf(SHIPPED, 'ENTRYPOINT')).toEqual([])
  })

  test('has a health check of a file that is in the image, as the nodes of Compose have', () => {
    const [check = ''] = argumentsOf(SHIPPED, 'HEALTHCHECK')
    expect(check).toMatch(/ CMD \["node", "deploy\/healthcheck\.js"\]$/)
    expect(COPIED).toContain('deploy/healthcheck.js')
    for (const { healthcheck } of nodesOf(readCompose()).values())
      expect(healthcheck?.test).toEqual(['CMD', 'node', 'deploy/healthcheck.js', '/readyz'])
  })
})

describe('deploy/healthcheck.js', () => {
  async function startNode(ready: boolean): Promise<string> {
    const server = createServer((request, response) => {
      response.statusCode =
        request.url === '/healthz' || (request.url === '/readyz' && ready) ? 200 : 503
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    return String(typeof address === 'object' ? address?.port : '')
  }

  async function check(port: string, ...args: readonly string[]): Promise<number> {
    const child = spawn(process.execPath, [`${ROOT}/deploy/healthcheck.js`, ...args], {
      env: { PATH: process.env.PATH, JUNQI_PORT: port },
    })
    const [code] = await once(child, 'exit')
    return code
  }

  test('tells a server that is alive, and one that is ready, by its exit code', async () => {
    const [ready, draining] = [await startNode(true), await startNode(false)]
    expect([await check(ready), await check(ready, '/readyz')]).toEqual([0, 0])
    expect([await check(draining), await check(draining, '/readyz')]).toEqual([0, 1])
  })

  test('fails where nobody listens', async () => {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    await new Promise((resolve) => server.close(resolve))
    expect(await check(port)).toBe(1)
  })
})

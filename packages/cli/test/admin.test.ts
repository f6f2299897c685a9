import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeGuest, startApp, stopApps } from '../../server/test/support/test-app.ts'
import { runCli } from './run-cli.ts'

const TOKEN = 'sixteen-letters-at-least'

afterEach(async () => {
  vi.unstubAllEnvs()
  await stopApps()
})

async function start() {
  const app = await startApp({ JUNQI_ADMIN_TOKEN: TOKEN })
  vi.stubEnv('JUNQI_ADMIN_TOKEN', TOKEN)
  const admin = (...args: readonly string[]) => runCli(['admin', ...args, '--server', app.adminUrl])
  return { ...app, admin }
}

describe('junqi admin', () => {
  test('prints what there is as JSON', async () => {
    const { admin } = await start()
    const { code, stdout, stderr } = await admin('node')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ ready: true, draining: false, connections: 0 })
    expect(JSON.parse((await admin('rooms')).stdout)).toEqual({ rooms: [] })
    expect(JSON.parse((await admin('drain')).stdout)).toMatchObject({ ready: false })
    expect(JSON.parse((await admin('resume')).stdout)).toMatchObject({ ready: true })
  })

  test('shuts a player out, for a time or for ever, and lets it in again', async () => {
    const { admin, url } = await start()
    const { id } = await makeGuest(url)
    const banned = await admin('ban', id, '--reason', 'swears', '--seconds', '60')
    const { since, until } = JSON.parse(banned.stdout)
    expect(until - since).toBe(60_000)
    await admin('ban', id)
    expect(JSON.parse((await admin('bans')).stdout)).toMatchObject({
      bans: [{ player: id, reason: '', until: null }],
    })
    expect(await admin('lift', id)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await admin('lift', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'junqi: This player is not shut out.\n',
    })
  })

  test.each([
    [['close', 'k7w2m9qx'], 1, 'There is no such room.'],
    [['room', '../node'], 1, '../node is no id of a room or a player'],
    [['room'], 2, 'ID is missing: junqi admin room ID'],
    [['rooms', 'k7w2m9qx'], 2, 'rooms takes no ID'],
    [['room', 'k7w2m9qx', 'another'], 2, 'another is too much; usage: junqi admin ACTION'],
    [['erase'], 2, 'there is no action erase; there are node, drain,'],
    [['ban', '2w9h4t7kz0pm', '--seconds', '1.5'], 2, '--seconds is a whole number'],
    [['lift', '2w9h4t7kz0pm', '--seconds', '5'], 2, '--reason and --seconds are of a ban'],
    [[], 2, 'ACTION is missing'],
  ])('%j is refused with exit code %i', async (args, code, why) => {
    const { admin } = await start()
    expect(await admin(...args)).toEqual({ code, stdout: '', stderr: expect.stringContaining(why) })
  })

  test.each([
    ['wrong-but-long-enough', 'has another JUNQI_ADMIN_TOKEN'],
    ['', 'JUNQI_ADMIN_TOKEN is not set'],
  ])('with the token %j it does nothing', async (token, why) => {
    const { admin } = await start()
    vi.stubEnv('JUNQI_ADMIN_TOKEN', token)
    const { code, stderr } = await admin('drain')
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
  })

  test('asks the server with the settings of the environment', async () => {
    const { adminUrl } = await start()
    vi.stubEnv('JUNQI_ADMIN_HOST', '0.0.0.0')
    vi.stubEnv('JUNQI_ADMIN_PORT', new URL(adminUrl).port)
    expect((await runCli(['admin', 'rooms'])).stdout).toBe('{\n  "rooms": []\n}\n')
    vi.stubEnv('JUNQI_ADMIN_PORT', '0')
    expect((await runCli(['admin', 'rooms'])).stderr).toContain('The admin port is any free one')
    vi.stubEnv('JUNQI_ADMIN_PORT', 'x')
    expect((await runCli(['admin', 'rooms'])).stderr).toContain('JUNQI_ADMIN_PORT="x" cannot be')
  })

  test('says that the public port is not the one', async () => {
    const { url } = await start()
    const { code, stderr } = await runCli(['admin', 'drain', '--server', url])
    expect([code, stderr]).toEqual([1, expect.stringContaining('is the port for players, not')])
  })

  test('says where nobody is who could answer', async () => {
    vi.stubEnv('JUNQI_ADMIN_TOKEN', TOKEN)
    const asked = (server: string) => runCli(['admin', 'node', '--server', server])
    expect((await asked('http://127.0.0.1:1')).stderr).toContain('does not answer; is that the')
    expect((await asked('here')).stderr).toContain('here is no address such as http://')
  })
})

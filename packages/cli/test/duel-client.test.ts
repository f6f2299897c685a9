import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runPythonFile, testWithWebSockets } from '../../../test/support/with-python.ts'
import { serve } from './serve-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../docs/duel-client.py', import.meta.url))

testWithWebSockets(
  'the client of docs/write-a-client.md plays a whole duel against a bot',
  async (python) => {
    const served = await serve({ JUNQI_STORE: 'memory', JUNQI_BOTS: 'easy:1' })
    onTestFinished(() => served.stop())
    await served.junqi.says(/1 online/)
    const said = await runPythonFile(python, PROGRAM, [served.url])
    expect(said).toMatch(/^(?:south|north|nobody) won: \w+\n$/)
    expect(said).not.toMatch(/resigned|left|void/)
    const games = await vi.waitUntil(() => finishedGames(served.url), { timeout: 30_000 })
    expect(games).toMatchObject([
      { preset: 'duel', result: { reason: said.trim().split(': ')[1] } },
    ])
    expect(served.junqi.said).not.toContain('FAULT')
  },
)

/** null: there is none yet, since the archive takes a game over after its end. */
async function finishedGames(url: string): Promise<readonly unknown[] | null> {
  const { games } = await (await fetch(`${url}/v1/games`)).json()
  return games.length === 0 ? null : games
}

test('it has at most 50 lines, none too long to be read', () => {
  const lines = readFileSync(PROGRAM, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(50)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
})

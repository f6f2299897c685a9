import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectPlayed, isShort, PLAYABLE, presetAndActions } from './play-cases.ts'
import { type PlayServer, startPlayServer } from './play-server.ts'
import { runCli } from './run-cli.ts'

let server: PlayServer
beforeAll(async () => {
  server = await startPlayServer()
})
afterAll(() => server.stop())

const LONG = PLAYABLE.filter((traced) => !isShort(traced))

describe.concurrent('junqi play', () => {
  test.each(LONG.map(presetAndActions))(
    'plays record %i of the vectors: %s, %i actions',
    async (_number, _preset, _actions, record) => {
      const args = ['play', '-', '--server', server.url]
      expectPlayed(await runCli(args, { stdin: JSON.stringify(record) }), record)
    },
  )
})

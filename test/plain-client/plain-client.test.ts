import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { KIND_WORDS } from './homes.ts'
import { playRecord, recordAtTable } from './play-record.ts'
import { GAMES, readGame, SEATS } from './record.ts'
import { commitmentsTo, saltsIn } from './seal.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await startServer({ JUNQI_LOG_LEVEL: 'trace' })
})
afterAll(() => server.stop())

describe.concurrent('the sample games over bare WebSockets, by the default limits', () => {
  test.each(GAMES)(
    'R-SEE-3 R-END-6 R-SEAL-1 F-H2 F-H9: game %i tells nobody a hidden kind before its end, and is what was sealed',
    async (number) => {
      const record = readGame(number)
      const played = await playRecord(server.url, record)
      const version = played.sightings[0]?.lastVersion
      const salts = saltsIn(played.record)
      const commitments = commitmentsTo(record, salts)
      for (const sighting of played.sightings) {
        expect(sighting).toMatchObject({
          leaks: [],
          missing: [],
          notRepliedOnce: [],
          lastVersion: version,
          end: { ...record.result, formations: record.formations },
          sealed: commitments,
        })
      }
      const seal = { commitments, salts }
      expect(played.record).toEqual({ ...recordAtTable(record), seal })
      expect(new Set(played.earlyRecords)).toEqual(new Set([404]))
    },
  )
})

describe('after the games', () => {
  test('F-H10: the log at its finest level tells no kind and no formation', () => {
    const output = server.output()
    const formations = GAMES.flatMap((number) =>
      SEATS.map((seat) => readGame(number).formations[seat]),
    )
    expect(output).not.toBe('')
    expect(formations.filter((formation) => output.includes(formation))).toEqual([])
    expect(KIND_WORDS.filter((kind) => output.includes(`"${kind}"`))).toEqual([])
  })
})

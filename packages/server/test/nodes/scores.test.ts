import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/ports.ts'
import { ScoreKeeper } from '../../src/scores/score-keeper.ts'
import { ScoreReader } from '../../src/scores/score-reader.ts'
import { Nodes } from '../support/nodes.ts'
import type { Gathered } from '../support/room-table.ts'

const consumersOf = (store: Store) => [new ScoreKeeper(store)]
const openNodes = () => Nodes.open(2, { consumersOf })

/** The first player runs away, at its own node. */
async function endGame(nodes: Nodes, game: Gathered): Promise<void> {
  await nodes.at(0).do(game.host, { type: 'leave', room: game.room })
  await nodes.clock.advance(100)
}

const tallies = (nodes: Nodes, { sessions }: Gathered) =>
  Promise.all(sessions.map(({ player }) => nodes.store.truth.tally(player.id)))

describe('two nodes', () => {
  test('who watches is told at both, after the end, the same', async () => {
    const nodes = await openNodes()
    const game = await nodes.play({ preset: 'duel' })
    await endGame(nodes, game)
    const told = game.sessions.map((session) => session.last('scored'))
    expect(told[0]).toEqual(told[1])
    expect(told[0]?.seats).toMatchObject({
      south: { delta: -1, escaped: true },
      north: { delta: 0, escaped: false },
    })
    for (const session of game.sessions) {
      const types = session.messages.map(({ type }) => type)
      expect(types.indexOf('scored')).toBeGreaterThan(types.lastIndexOf('event'))
    }
    expect(nodes.faults).toEqual([])
  })

  test('F-C3: where the hint is lost nobody is told, and what HTTP says is so all the same', async () => {
    const nodes = await openNodes()
    const game = await nodes.play({ preset: 'duel' })
    nodes.store.hints = 'lost'
    await endGame(nodes, game)
    const { seats } = game.sessions[0]?.last('scored') ?? {}
    expect(game.sessions[1]?.of('scored')).toEqual([])
    const reader = new ScoreReader(nodes.at(1).store)
    expect(await reader.gameScore(game.room)).toEqual({
      room: game.room,
      settled: true,
      scored: true,
      seats,
    })
  })

  test('a friendly game is told to nobody', async () => {
    const nodes = await openNodes()
    const game = await nodes.play({ preset: 'duel', options: { firstSeat: 'south' } })
    await endGame(nodes, game)
    expect(game.sessions.flatMap((session) => session.of('scored'))).toEqual([])
  })

  test.each(['tally', 'keepSettlement', 'addOnce', 'placeOnBoard', 'settle'] as const)(
    'the one that wrote the end dies when it should %s: the other carries on, and all is there once',
    async (step) => {
      const nodes = await openNodes()
      const undisturbed = await openNodes()
      const [game, same] = await Promise.all(
        [nodes, undisturbed].map((each) => each.play({ preset: 'siguo-table' })),
      )
      if (game === undefined || same === undefined) throw new Error('no game')
      for (const each of [nodes, undisturbed]) await each.clock.advance(3_000)
      nodes.at(0).store.failing.add(step)
      await Promise.all([endBoth(nodes, game), endBoth(undisturbed, same)])
      await nodes.clock.advance(100)
      nodes.at(0).store.die()
      await Promise.all([nodes, undisturbed].map(({ clock }) => clock.advance(10_000)))
      expect(await tallies(nodes, game)).toEqual(await tallies(undisturbed, same))
      expect((await tallies(nodes, game)).map(({ revision }) => revision)).toEqual([1, 1, 1, 1])
      expect(await nodes.store.truth.outbox(10)).toEqual([])
      expect(nodes.at(1).faults).toEqual([])
    },
  )
})

/** Both of one side leave, the last one at the first node. */
async function endBoth(nodes: Nodes, { room, sessions }: Gathered): Promise<void> {
  const [south, , north] = sessions
  if (south === undefined || north === undefined) throw new Error('nobody there')
  await nodes.at(0).do(south, { type: 'leave', room })
  await nodes.at(0).do(north, { type: 'leave', room })
}

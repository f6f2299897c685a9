import {
  type Formation,
  type GameCommand,
  type GameEvent,
  type GameState,
  PIECES,
  type Seat,
  type Viewer,
} from '@junqi/engine'
import type { EncodedMessage, PlayerId, RoomView } from '@junqi/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Asker, Step } from '../../packages/server/src/room/publisher.ts'
import type { RoomState } from '../../packages/server/src/room/room-state.ts'
import { pieceOn } from './knowledge.ts'
import { Leak } from './leak.ts'
import { comparePairs } from './pairs.ts'

/**
 * Faults that such servers really had (FAULTS.md), planted just where the real rooms take in views
 * and decisions. The property must find each of them, or it proves nothing.
 */
const LEAKS = [
  'F-H8: play starts with the pieces in the order of their ranks',
  'F-H8: ids number the kinds',
  'F-H4: a refusal says what stands on the target',
  'F-H5: legal moves leave out what would be lost',
  'F-H9: who saves a draft is told to be here',
  'F-H1: who is nobody looks with the eyes of a seat',
  'F-H3: a restored room shows everything',
  'F-H6: allies know each other, whatever the rules say',
  'F-H7: who is out knows everything',
  'F-H9: a formation handed in shows in the views of others',
  'F-H2: the start of a flip game tells its layout',
  'F-H5: a flag that lies face down is not offered to be turned up',
  'F-H5: the legal moves of an enemy are told',
  'F-H4: a version is skipped when a piece of even rank has moved',
  'F-H4: a frame is longer for some kinds on some spaces',
  'F-H6: when the game has ended all are told what was said among allies',
  'F-H7: private games are in the list of all games that have ended',
  'F-H8: a bot in a seat is shown the pieces in the order of their kinds',
] as const
/** Those that a flip game can have. */
const FLIP_LEAKS = [LEAKS[0], LEAKS[1], LEAKS[2], LEAKS[6], LEAKS[10], LEAKS[11], LEAKS[16]]
const ARMY_LEAKS = [...LEAKS.slice(0, 10), ...LEAKS.slice(12)]
const planted = vi.hoisted((): { leak: (typeof LEAKS)[number] | null } => ({ leak: null }))

type Told = readonly [Asker | null, (EncodedMessage | null)?]

const isOfEvenRank = ({ entry: { events }, after: { game } }: Step): boolean =>
  events.some((event) => {
    const piece = event.type === 'pieceMoved' && game !== null ? pieceOn(game, event.to) : null
    return piece !== null && (PIECES[piece.kind].rank ?? 1) % 2 === 0
  })

/** Rooms that were restored from their logs, and nothing has happened in since. */
const restored = vi.hoisted(() => new WeakSet<RoomState>())

function openly(state: RoomState): RoomState {
  if (state.game === null) return state
  const pieces = state.game.pieces.map((piece) => piece && { ...piece, shown: true })
  return { ...state, game: { ...state.game, pieces } }
}

/** To a bot in a seat the pieces come sorted by what it must not know. */
function byKind(view: RoomView, { game }: RoomState): RoomView {
  const { seat } = view.you
  const isBot = seat !== null && view.seats[seat]?.player.bot !== undefined
  if (view.game === null || game === null || !isBot) return view
  const kindOn = (space: string) => pieceOn(game, space)?.kind ?? ''
  const pieces = view.game.pieces.toSorted((one, other) =>
    kindOn(one.space).localeCompare(kindOn(other.space)),
  )
  return { ...view, game: { ...view.game, pieces } }
}

vi.mock('@junqi/engine', async (original) => {
  const engine = await original<typeof import('@junqi/engine')>()
  const kindOn = ({ ruleSet, pieces }: GameState, space: string) =>
    pieces[engine.boardOf(ruleSet).indexOf.get(space) ?? -1]?.kind ?? 'flag'
  const rankOn = (state: GameState, space: string) =>
    engine.PIECE_KINDS.indexOf(kindOn(state, space))
  const lengthOf = (state: GameState) =>
    engine
      .boardOf(state.ruleSet)
      .spaces.reduce((sum, space, n) => sum + n * rankOn(state, space), 0)
  const enemyOf = ({ ruleSet }: GameState, seat: Seat) =>
    ruleSet.seats.find((other) => !engine.allianceOf(ruleSet, seat).includes(other)) ?? seat
  return {
    ...engine,
    viewEvent(after: GameState, event: GameEvent, viewer: Viewer) {
      const seen = engine.viewEvent(after, event, viewer)
      if (planted.leak === LEAKS[10]) {
        const { layout } = after
        return seen.map((item) => (item.type === 'gameStarted' ? { ...item, layout } : item))
      }
      if (planted.leak !== LEAKS[0]) return seen
      return seen.map((item) => {
        if (item.type !== 'gameStarted') return item
        const byRank = (space: string) => rankOn(after, space)
        const pieces = [...item.pieces].sort((a, b) => byRank(a.space) - byRank(b.space))
        return { ...item, pieces }
      })
    },
    viewGame(state: GameState, viewer: Viewer) {
      const view = engine.viewGame(state, viewer)
      if (planted.leak === LEAKS[14]) return { ...view, pad: ' '.repeat(lengthOf(state) % 64) }
      if (planted.leak !== LEAKS[1]) return view
      const pieces = view.pieces.map((p) => ({ ...p, id: `${p.id}/${rankOn(state, p.space)}` }))
      return { ...view, pieces }
    },
    decide(state: GameState, command: GameCommand) {
      const decided = engine.decide(state, command)
      if (planted.leak !== LEAKS[2] || decided.ok || command.type !== 'movePiece') return decided
      const message = `There stands a ${kindOn(state, command.to)}.`
      return engine.err({ ...decided.error, message })
    },
    legalFlips(state: GameState, seat: Seat) {
      const flips = engine.legalFlips(state, seat)
      if (planted.leak !== LEAKS[11]) return flips
      return flips.filter((space) => kindOn(state, space) !== 'flag')
    },
    legalMoves(state: GameState, seat: Seat) {
      if (planted.leak === LEAKS[12]) {
        const enemy = enemyOf(state, seat)
        return engine.legalMoves({ ...state, toMove: enemy }, enemy)
      }
      const moves = engine.legalMoves(state, seat)
      if (planted.leak !== LEAKS[3]) return moves
      return moves.filter(({ from, to }) => rankOn(state, from) <= rankOn(state, to))
    },
  }
})

vi.mock('../../packages/engine/src/rules/visibility.ts', async (original) => {
  const sight = await original<typeof import('../../packages/engine/src/rules/visibility.ts')>()
  return {
    ...sight,
    mayKnow(...[viewer, piece, at]: Parameters<typeof sight.mayKnow>): boolean {
      const isSeat = viewer !== 'spectator'
      const allies = at.ruleSet.alliances.find((seats) => isSeat && seats.includes(viewer))
      if (planted.leak === LEAKS[7] && allies?.some((seat) => seat === piece.seat)) return true
      if (planted.leak === LEAKS[8] && isSeat && at.seats[viewer]?.out) return true
      return sight.mayKnow(viewer, piece, at)
    },
  }
})

vi.mock('../../packages/server/src/room/publisher.ts', async (original) => {
  const { Publisher } =
    await original<typeof import('../../packages/server/src/room/publisher.ts')>()
  return {
    Publisher: class extends Publisher {
      override sendDraft(player: PlayerId, formation: Formation): void {
        super.sendDraft(player, formation)
        if (planted.leak === LEAKS[4]) this.sendPresence(player)
      }

      override publish(step: Step, ...told: Told) {
        if (planted.leak !== LEAKS[13] || !isOfEvenRank(step)) return super.publish(step, ...told)
        const { entry } = step
        const late = { ...step, entry: { ...entry, version: entry.version + 1 } }
        return super.publish(late, ...told)
      }
    },
  }
})

vi.mock('../../packages/server/src/room/view-room.ts', async (original) => {
  const { viewRoom } =
    await original<typeof import('../../packages/server/src/room/view-room.ts')>()
  return {
    viewRoom(...[state, sight]: Parameters<typeof viewRoom>) {
      const view = viewRoom(restored.has(state) ? openly(state) : state, sight)
      if (planted.leak === LEAKS[17]) return byKind(view, state)
      const [formation] = Object.values(state.formations)
      if (planted.leak !== LEAKS[9] || formation === undefined) return view
      return { ...view, you: { ...view.you, draft: formation } }
    },
  }
})

vi.mock('../../packages/server/src/room/chat-rules.ts', async (original) => {
  const rules = await original<typeof import('../../packages/server/src/room/chat-rules.ts')>()
  return {
    ...rules,
    heardBy(...[state, player]: Parameters<typeof rules.heardBy>) {
      const heard = rules.heardBy(state, player)
      if (planted.leak !== LEAKS[15] || state.phase !== 'finished') return heard
      const seated = Object.values(state.seats).flatMap((one) => (one ? [one.player.id] : []))
      const streams = seated.flatMap((each) => rules.heardBy(state, each))
      const more = streams.filter(
        ({ name }, n) =>
          streams.findIndex((one) => one.name === name) === n &&
          !heard.some((one) => one.name === name),
      )
      return [...heard, ...more]
    },
  }
})

vi.mock('../../packages/server/src/archive/summary.ts', async (original) => {
  const summary = await original<typeof import('../../packages/server/src/archive/summary.ts')>()
  return {
    ...summary,
    indexedGame(...[game]: Parameters<typeof summary.indexedGame>) {
      const indexed = summary.indexedGame(game)
      const [place] = Object.values(indexed.places)
      if (planted.leak !== LEAKS[16] || place === undefined) return indexed
      return { ...indexed, places: { [summary.LISTS.public]: place, ...indexed.places } }
    },
  }
})

vi.mock('../../packages/server/src/room/room-state.ts', async (original) => {
  const roomState = await original<typeof import('../../packages/server/src/room/room-state.ts')>()
  return {
    ...roomState,
    viewerOf(state: RoomState, player: PlayerId | null): Viewer {
      const isAnyone = planted.leak === LEAKS[5] && player === null
      return isAnyone ? 'south' : roomState.viewerOf(state, player)
    },
  }
})

vi.mock('../../packages/server/src/room/replay.ts', async (original) => {
  const { replay } = await original<typeof import('../../packages/server/src/room/replay.ts')>()
  return {
    replay(...log: Parameters<typeof replay>) {
      const replayed = replay(...log)
      if (planted.leak === LEAKS[6] && replayed.state !== null) restored.add(replayed.state)
      return replayed
    },
  }
})

afterEach(() => {
  planted.leak = null
})

/** That a leak is found is enough here: it is not asked how little shows it. */
const extent = { games: 20, twins: 3, seed: 4_000_000, tries: 0 }
/** What a leak shows in that does not show in a game of people that is cut off before its end. */
const kindsFor = (leak: (typeof LEAKS)[number]) =>
  leak === LEAKS[15]
    ? (['ended'] as const)
    : leak === LEAKS[17]
      ? (['bots'] as const)
      : (['cut'] as const)

describe('R-SEE-6: the property finds planted leaks', () => {
  test('nothing is found where nothing is planted', async () => {
    await expect(comparePairs('siguo', { ...extent, games: 1 })).resolves.toMatchObject({
      pairs: 3,
    })
  })

  test.each(ARMY_LEAKS)('%s', async (leak) => {
    planted.leak = leak
    const compared = comparePairs('siguo', { ...extent, kinds: kindsFor(leak) })
    await expect(compared).rejects.toThrow(Leak)
  })

  test.each(FLIP_LEAKS)('R-FLIP-1: in a flip game, %s', async (leak) => {
    planted.leak = leak
    const compared = comparePairs('flip', { ...extent, kinds: kindsFor(leak) })
    await expect(compared).rejects.toThrow(Leak)
  })

  test('a pair that differs is shrunk, and told as two boards', async () => {
    planted.leak = LEAKS[1]
    const compared = comparePairs('duel', { ...extent, tries: 150 })
    const told = await compared.then(() => 'nothing was found', String)
    expect(told).toMatch(/^Leak: duel .*: the \w+ can tell two worlds apart\.\n/)
    expect(told).toContain('Beside the game: nothing. Acts: 1.\n')
    const [, one = '', other = '', frames = ''] = told.split(/One world:|The other:|In one it got:/)
    const differing = [...one].filter((symbol, n) => symbol !== other[n])
    expect(differing).toHaveLength(2)
    const [frame, another] = frames.split('In the other:').map((text) => text.trim())
    expect(frame).toContain('"type":"snapshot"')
    expect(another).toHaveLength(frame?.length ?? 0)
  })
})

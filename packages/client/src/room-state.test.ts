import { isDeepStrictEqual } from 'node:util'
import {
  applyCommand,
  evolve,
  type GameCommand,
  type GameEvent,
  type GameState,
  isFlipGame,
  legalFlips,
  legalMoves,
  newGame,
  type PresetName,
  type RuleOptions,
  type RuleSet,
  randomFormation,
  resolveRules,
  type Seat,
  shuffledLayout,
  viewEvent,
  viewGame,
} from '@junqi/engine'
import {
  type Player,
  type PlayerId,
  playerId,
  type RoomView,
  roomId,
  roomView,
  type ViewedEvent,
  viewedEvent,
} from '@junqi/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evolveRoom, type RoomState } from './room-state.ts'

const room = roomId.parse('k7w2m9qx')
const players: Readonly<Record<Seat | 'spectator', PlayerId>> = {
  south: playerId.parse('00000000000s'),
  east: playerId.parse('00000000000e'),
  north: playerId.parse('00000000000n'),
  west: playerId.parse('00000000000w'),
  spectator: playerId.parse('00000000000v'),
}
const playerOn = (seat: Seat): Player => ({ id: players[seat], name: seat })

function ruleSetOf(preset: PresetName, options: RuleOptions = {}): RuleSet {
  const resolved = resolveRules({ preset, options: { ...options } })
  if (!resolved.ok) throw new Error(resolved.error.message)
  return resolved.value
}

function lobbyOf(preset: PresetName, ruleSet: RuleSet, me: Seat | 'spectator'): RoomState {
  const occupant = (seat: Seat) =>
    ruleSet.seats.includes(seat)
      ? { player: playerOn(seat), ready: true, goneSince: null, bankMs: ruleSet.bankSeconds * 1000 }
      : null
  const view = roomView.parse({
    phase: 'deployment',
    rules: { preset, options: {}, ruleSet },
    invitation: null,
    spectators: { mode: 'public' },
    host: players.south,
    seats: {
      south: occupant('south'),
      east: occupant('east'),
      north: occupant('north'),
      west: occupant('west'),
    },
    swaps: [],
    you: { seat: me === 'spectator' ? null : me, draft: null },
    game: null,
    seal: null,
    history: [],
    legalMoves: {},
    until: 180_000,
    rematch: null,
    closed: false,
  })
  return { room, version: 1, view }
}

const after = (
  state: RoomState,
  events: readonly ViewedEvent[],
  me: PlayerId,
  until: number | null = null,
): RoomState =>
  evolveRoom(
    state,
    {
      type: 'event',
      room,
      version: state.version + 1,
      turn: null,
      next: null,
      until,
      events,
    },
    me,
  )

describe('the game in a room', () => {
  /** Numbers from 0 up to 1 that follow from a seed. */
  const chanceOf = (seed: number) => {
    let state = seed >>> 0
    return (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }
  const pick = <T>(items: readonly T[], chance: () => number): T | undefined =>
    items[Math.floor(chance() * items.length)]

  /** Something that a seat might do; it may be against the rules. */
  function anyCommand(game: GameState, chance: () => number): GameCommand {
    const toMove = game.toMove ?? 'south'
    const seat = pick(game.ruleSet.seats, chance) ?? toMove
    const dice = chance()
    if (dice < 0.03) return { type: 'timeout', seat: toMove }
    if (dice < 0.04) return { type: 'resign', seat: toMove }
    if (dice < 0.045) return { type: 'leave', seat }
    if (dice < 0.07) return { type: 'offerDraw', seat }
    if (dice < 0.1) return { type: 'answerDraw', seat, offer: game.offers, accept: chance() < 0.7 }
    const moves = legalMoves(game, toMove)
    const flips = legalFlips(game, toMove)
    if (flips.length > 0 && (moves.length === 0 || chance() < 0.5)) {
      return { type: 'flipPiece', seat: toMove, space: pick(flips, chance) ?? 'a1' }
    }
    const attacks = moves.filter(({ to }) =>
      viewGame(game, 'spectator').pieces.some((p) => p.space === to),
    )
    const move = pick(attacks.length > 0 && chance() < 0.6 ? attacks : moves, chance)
    return { type: 'movePiece', seat: toMove, from: move?.from ?? 'a1', to: move?.to ?? 'a1' }
  }

  function expectedMoves(game: GameState, viewer: Seat | 'spectator'): RoomView['legalMoves'] {
    const moves: Record<string, string[]> = {}
    if (viewer === 'spectator') return moves
    for (const { from, to } of legalMoves(game, viewer)) moves[from] = [...(moves[from] ?? []), to]
    return moves
  }

  const presets: readonly (readonly [PresetName, RuleOptions])[] = [
    ['siguo', { resignFromMove: 0, engineerScout: true }],
    ['siguo-ally-open', { resignFromMove: 0, leaving: 'forfeit', eliminatedView: 'own' }],
    ['siguo-open', { resignFromMove: 0, leaving: 'forfeit' }],
    ['siguo-free', { resignFromMove: 0, fieldMarshalDeathRevealsFlag: false }],
    ['sanguo', { resignFromMove: 0, flyingBomb: true }],
    ['duel', { resignFromMove: 0, landmine: 'repels' }],
    ['flip', { flipColour: 'first', flipFlag: 'any' }],
    ['flip', { flipMines: 'engineers' }],
  ]

  test.each(presets)(
    'F-R7: after every entry of %s each viewer has what a snapshot would say',
    (preset, options) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => playThrough(ruleSetOf(preset, options), preset, seed)),
        { numRuns: 3 },
      )
    },
  )

  function playThrough(ruleSet: RuleSet, preset: PresetName, seed: number): void {
    const chance = chanceOf(seed)
    const viewers = [...ruleSet.seats, 'spectator'] as const
    const formations = Object.fromEntries(
      ruleSet.seats.map((seat) => [seat, randomFormation(ruleSet, chance)]),
    )
    const laid = isFlipGame(ruleSet)
      ? { formations: {}, layout: shuffledLayout(chance) }
      : { formations }
    const first = ruleSet.seats[0] ?? 'south'
    const started = { type: 'gameStarted', ...laid, first } as const
    let game = newGame(ruleSet, started)
    const rooms = new Map(viewers.map((viewer) => [viewer, lobbyOf(preset, ruleSet, viewer)]))
    const history: GameEvent[] = []

    const follow = (steps: readonly { after: GameState; event: GameEvent }[]): void => {
      for (const viewer of viewers) {
        const before = rooms.get(viewer)
        if (before === undefined) throw new Error('no room')
        const events = steps.flatMap((step) => viewEvent(step.after, step.event, viewer))
        // As they come over the wire.
        const items = viewedEvent.array().parse(JSON.parse(JSON.stringify(events)))
        const { version, view } = after(before, items, players[viewer], 9)
        rooms.set(viewer, { room, version, view })
        const expected = {
          ...before.view,
          phase: game.result === null ? 'playing' : 'finished',
          game: viewGame(game, viewer),
          history,
          legalMoves: expectedMoves(game, viewer),
          ...(game.flip && { flips: viewer === 'spectator' ? [] : legalFlips(game, viewer) }),
          until: 9,
        }
        // The matcher is slow, and wanted for its picture of a difference only.
        if (!isDeepStrictEqual(view, expected)) expect(view).toEqual(expected)
      }
    }

    follow([{ after: game, event: started }])
    for (let turns = 0; turns < 120 && game.result === null; turns++) {
      const command = anyCommand(game, chance)
      const steps = stepsOf(game, command)
      if (steps === null) continue
      game = steps.at(-1)?.after ?? game
      history.push(...steps.map(({ event }) => event).filter(({ type }) => type !== 'gameEnded'))
      follow(steps)
    }
  }

  function stepsOf(game: GameState, command: GameCommand) {
    const applied = applyCommand(game, command)
    if (!applied.ok) return null
    let state = game
    return applied.value.events.map((event) => {
      state = evolve(state, event)
      return { after: state, event }
    })
  }
})

describe('the room around it', () => {
  const ruleSet = ruleSetOf('duel', { bankSeconds: 60 })
  const me = players.south
  const lan: Player = { id: playerId.parse('8b3xq6nd1vcr'), name: 'Lan' }
  const occupant = (player: Player, ready = false) => ({
    player,
    ready,
    goneSince: null,
    bankMs: 60_000,
  })
  const full = lobbyOf('duel', ruleSet, 'south')
  const { view } = full
  const { seats } = view
  const ready = {
    south: occupant(playerOn('south'), true),
    north: occupant(playerOn('north'), true),
  }
  const unready = { south: occupant(playerOn('south')), north: occupant(playerOn('north')) }
  const longer = {
    preset: 'duel',
    options: { bankSeconds: 90 },
    ruleSet: ruleSetOf('duel', { bankSeconds: 90 }),
  } as const

  test.each<[string, readonly ViewedEvent[], Partial<RoomView>]>([
    [
      'R-SEAL-1: a game is sealed',
      [{ type: 'gameSealed', commitments: { first: '0'.repeat(64) } }],
      { seal: { commitments: { first: '0'.repeat(64) }, salts: null } },
    ],
    [
      'R-SEAL-2: and opened',
      [
        { type: 'gameSealed', commitments: { first: '0'.repeat(64) } },
        { type: 'sealOpened', salts: { first: '1'.repeat(64) } },
      ],
      { seal: { commitments: { first: '0'.repeat(64) }, salts: { first: '1'.repeat(64) } } },
    ],
    [
      'a seat is taken',
      [{ type: 'seatTaken', seat: 'north', player: lan }],
      { seats: { ...seats, north: occupant(lan) } },
    ],
    [
      'the own seat is left',
      [{ type: 'seatVacated', seat: 'south', player: me, reason: 'stood' }],
      { seats: { ...seats, south: null }, you: { seat: null, draft: null } },
    ],
    [
      'the own seat changes',
      [
        { type: 'seatVacated', seat: 'north', player: players.north, reason: 'left' },
        { type: 'seatChanged', player: me, from: 'south', to: 'north' },
      ],
      {
        seats: { ...seats, south: null, north: unready.south },
        you: { seat: 'north', draft: null },
      },
    ],
    [
      'a swap is asked for',
      [{ type: 'swapRequested', swap: 1, by: 'north', with: 'south' }],
      { swaps: [{ swap: 1, by: 'north', with: 'south' }] },
    ],
    [
      'a swap is refused',
      [
        { type: 'swapRequested', swap: 1, by: 'north', with: 'south' },
        { type: 'swapRequested', swap: 2, by: 'south', with: 'north' },
        { type: 'swapAnswered', swap: 1, accept: false },
      ],
      { swaps: [{ swap: 2, by: 'south', with: 'north' }] },
    ],
    [
      'a swap is made',
      [
        { type: 'swapRequested', swap: 1, by: 'north', with: 'south' },
        { type: 'swapAnswered', swap: 1, accept: true },
      ],
      {
        seats: { ...seats, south: unready.north, north: unready.south },
        you: { seat: 'north', draft: null },
      },
    ],
    ['the host changes', [{ type: 'hostChanged', player: players.north }], { host: players.north }],
    ['a member joins', [{ type: 'memberJoined', player: lan }], {}],
    [
      'the rules change',
      [{ type: 'rulesChanged', rules: longer }],
      {
        rules: longer,
        seats: {
          ...seats,
          south: { ...unready.south, bankMs: 90_000 },
          north: { ...unready.north, bankMs: 90_000 },
        },
      },
    ],
    [
      'somebody is not ready',
      [{ type: 'readyChanged', seat: 'north', ready: false }],
      { seats: { ...seats, ...ready, north: unready.north } },
    ],
    [
      'deployment starts',
      [{ type: 'deploymentStarted' }],
      { phase: 'deployment', seats: { ...seats, ...unready } },
    ],
    [
      'deployment is given up',
      [{ type: 'deploymentCancelled' }],
      { phase: 'lobby', seats: { ...seats, ...unready } },
    ],
    [
      'a bank is used',
      [{ type: 'bankUsed', seat: 'north', bankMs: 41_250 }],
      { seats: { ...seats, ...ready, north: { ...ready.north, bankMs: 41_250 } } },
    ],
    ['there is a rematch', [{ type: 'rematchCreated', room }], { rematch: room }],
    ['the room is closed', [{ type: 'roomClosed' }], { closed: true }],
  ])('%s', (_, events, changed) => {
    expect(after(full, events, me)).toEqual({
      room,
      version: 2,
      view: { ...view, until: null, ...changed },
    })
  })

  test('a draft is kept until play starts', () => {
    const formation = randomFormation(ruleSet, () => 0)
    const drafted = evolveRoom(full, { type: 'draft', room, formation }, me)
    expect(drafted).toEqual({
      ...full,
      view: { ...view, you: { seat: 'south', draft: formation } },
    })
    const cancelled = after(drafted, [{ type: 'deploymentCancelled' }], me)
    expect(cancelled.view.you.draft).toBe(formation)
    const none = { south: null, east: null, north: null, west: null }
    const started = { type: 'gameStarted', first: 'south', pieces: [], formations: none } as const
    expect(after(drafted, [started], me).view.you.draft).toBeNull()
  })

  test('presence of a player without a seat changes nothing', () => {
    const gone = { type: 'presence', room, player: lan.id, goneSince: 5 } as const
    expect(evolveRoom(full, gone, me)).toEqual(full)
  })
})

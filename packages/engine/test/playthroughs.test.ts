import { describe, expect, test } from 'vitest'
import {
  applyCommand,
  boardOf,
  drawBoard,
  evolve,
  type GameEvent,
  type GameState,
  positionOfView,
  type RuleSet,
  type SeatEvent,
  type Viewer,
  viewEvent,
  viewGame,
} from '../src/index.ts'
import { flipAt } from './flip-at.ts'
import { commandFor, FORMATION, gameOf, rulesOf } from './game-at.ts'

/** Some viewers' boards, two beside each other. */
function drawViews(state: GameState, viewers: readonly Viewer[]): string {
  const drawings = viewers.map((viewer) => {
    const { pieces } = viewGame(state, viewer)
    const board = boardOf(state.ruleSet)
    return [`${viewer} sees`, ...drawBoard(board, positionOfView(board, pieces)).split('\n')]
  })
  const width = Math.max(...drawings.flat().map((line) => line.length))
  const height = Math.max(...drawings.map((lines) => lines.length))
  const rows: string[] = []
  for (let i = 0; i < drawings.length; i += 2) {
    const pair = drawings.slice(i, i + 2)
    for (let line = 0; line < height; line++) {
      rows.push(
        pair
          .map((lines) => (lines[line] ?? '').padEnd(width + 3))
          .join('')
          .trimEnd(),
      )
    }
  }
  return rows.join('\n')
}

/** What everyone knows beside the pieces. */
function drawTally({ seats, toMove, turn, moves, quiet, result }: GameState): string {
  const out = Object.entries(seats).flatMap(([seat, status]) =>
    status?.out ? [`${seat} out: ${status.out}`] : [],
  )
  const end = result === null ? [] : [`${result.reason}: ${result.winners.join(', ') || 'draw'}`]
  return [`next ${toMove}, turn ${turn}, moves ${moves}, quiet ${quiet}`, ...out, ...end].join('; ')
}

/** Each event with the game just after it. */
function statesAfter(start: GameState, events: readonly GameEvent[]) {
  let after = start
  return events.map((event) => {
    after = evolve(after, event)
    return { event, after }
  })
}

/** An event as text; the games here begin in the middle, so that formations and layouts say nothing. */
const tell = (event: SeatEvent): string =>
  JSON.stringify(event, (key, value) =>
    key === 'formations' || key === 'layout' ? undefined : value,
  )

/** A game as every seat and a spectator see it, at every ply. */
function playthrough(start: GameState, actions: readonly string[]): string {
  const viewers: readonly Viewer[] = [...start.ruleSet.seats, 'spectator']
  const pages = [`start: ${drawTally(start)}\n${drawViews(start, viewers)}`]
  let state = start
  for (const [index, action] of actions.entries()) {
    const applied = applyCommand(state, commandFor(state, action))
    if (!applied.ok) throw new Error(`${action}: ${applied.error.code}`)
    const afterEach = statesAfter(state, applied.value.events)
    state = applied.value.state
    const told = viewers.map((viewer) => {
      const seen = afterEach.flatMap(({ event, after }) => viewEvent(after, event, viewer))
      return `${viewer} is told ${seen.map(tell).join(' ')}`
    })
    const page = [`${index + 1}. ${action}: ${drawTally(state)}`, ...told]
    pages.push([...page, drawViews(state, viewers)].join('\n'))
  }
  return `${pages.join('\n\n')}\n`
}

const SMALL_SIGUO = 'S 9g6 1g5 Lg2 Fh1 / E 9l7 3p7 Fq8 / N 9k12 2k13 Fj17 / W 5f7 3b9 Fa10'

describe('every seat’s view at every ply is as it was reviewed', () => {
  test.each<[string, RuleSet, string, readonly string[]]>([
    [
      'duel-flag-captured',
      rulesOf('duel'),
      'S Ba6 9c12 1e6 Le1 Fd1 / N 9a7 5c7 3e7 La12 Fb12',
      ['a6-a7', 'c7-c6', 'e6-e7', 'c6-b5', 'c12-b12'],
    ],
    [
      'duel-scouts-and-landmines',
      rulesOf('duel', { engineerScout: true, landmine: 'repels', leaveHeadquarters: true }),
      'S 1a6 9c6 5b1 Fd1 / N 8a7 Lc7 Be7 Fb12',
      ['a6-a7', 'a7-a5', 'c6-c7', 'e7-e2', 'b1-a1', 'e2-a2', 'a1-a2'],
    ],
    [
      'siguo-out-and-ally-seen',
      rulesOf('siguo', { resignFromMove: 0 }),
      SMALL_SIGUO,
      ['g6-f7', 'l7-k6', 'resign north', 'b9-b8', 'f7-f8', 'leave east'],
    ],
    [
      'siguo-ally-open-left',
      rulesOf('siguo-ally-open', { leaving: 'forfeit' }),
      SMALL_SIGUO,
      ['g6-f7', 'leave north', 'timeout east', 'offer south', 'yes east', 'yes west'],
    ],
    [
      'sanguo-stuck',
      rulesOf('sanguo'),
      'S 9g6 1g5 Fh1 / E 2g7 Fq8 / W 5f7 3b9 Fa10',
      ['g6-g7', 'b9-b8', 'g5-f7', 'b8-b9'],
    ],
  ])('R-SEE-1, R-SEE-3: %s', async (name, ruleSet, armies, actions) => {
    const text = playthrough(gameOf(ruleSet, 'south', armies), actions)
    await expect(text).toMatchFileSnapshot(`./playthroughs/${name}.txt`)
  })

  test('R-DEPLOY-5, R-SEE-1: duel-opening', async () => {
    const start = gameOf(rulesOf('duel'), 'south', wholeArmies())
    const text = playthrough(start, ['a6-a7', 'c7-c6', 'e6-d5'])
    await expect(text).toMatchFileSnapshot('./playthroughs/duel-opening.txt')
  })
})

test('R-FLIP-1, R-FLIP-2, R-FLIP-3: flip-colours-and-captures', async () => {
  const drawing = '12 @? {} [] @? []\n7 @? [] @? [] []\n6 [] [] @? [] @?\n5 [] () @? () []'
  const under = 'r1 b3 rB b1 r5 bF b9'
  const start = flipAt(drawing, { under, colours: 'open' })
  const actions = ['flip e6', 'flip c7', 'timeout south', 'flip c5', 'flip c6', 'flip d12']
  const more = ['c6-b5', 'flip a7', 'b5-c5', 'c7-c6', 'flip a12', 'c6-c5', 'resign south']
  await expect(playthrough(start, [...actions, ...more])).toMatchFileSnapshot(
    './playthroughs/flip-colours-and-captures.txt',
  )
})

/** Both armies of a duel in `FORMATION`, as a list. */
function wholeArmies(): string {
  const { homes, spaces } = boardOf(rulesOf('duel'))
  const army = (seat: 'south' | 'north') =>
    (homes[seat] ?? []).map((index, i) => `${FORMATION.charAt(i)}${spaces[index]}`).join(' ')
  return `S ${army('south')} / N ${army('north')}`
}

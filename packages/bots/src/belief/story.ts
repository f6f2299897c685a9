import {
  type AttackOutcome,
  assertNever,
  type BySeat,
  bySeat,
  kindOfSymbol,
  type PublicEvent,
  SEATS,
} from '@junqi/engine'
import type { Sight } from '../brain.ts'
import { ANY_KIND, type KindSet, MOVERS, numberOf, setOf } from '../kinds.ts'
import { ATTACKER_GONE, DEFENDER_GONE, type Terrain } from '../terrain.ts'
import { type Clash, clashOf, type Told } from './clash.ts'
import type { Dossier } from './dossier.ts'
import { isWalk } from './walk.ts'

/** What one move or attack was, for who looks back. */
export interface Step {
  readonly piece: Dossier
  readonly from: number
  readonly to: number
}

/** The game so far, as one seat can tell it. */
export interface Story {
  readonly armies: BySeat<readonly Dossier[]>
  /** By space. */
  readonly standing: (Dossier | null)[]
  readonly clashes: Clash[]
  readonly steps: Step[]
}

/** Tells the story from the public history, and lets the view have the last word. */
export function storyOf(terrain: Terrain, sight: Sight): Story {
  const story = beginning(terrain, sight)
  for (let i = 0; i < sight.history.length; i++) follow(terrain, story, sight.history, i)
  return caughtUp(terrain, story, sight)
}

function beginning(terrain: Terrain, { view }: Sight): Story {
  const standing: (Dossier | null)[] = Array.from({ length: terrain.size }, () => null)
  const armies = bySeat((seat) =>
    terrain.homes[seat].map((space, place): Dossier => {
      const kind = kindOfSymbol(view.formations[seat]?.charAt(place) ?? '')
      const possible = kind === null ? terrain.deployable[place] : setOf(numberOf(kind))
      const dossier = { seat, place, space, possible: possible ?? ANY_KIND }
      return { ...dossier, moves: 0, attacks: 0, stands: 0 }
    }),
  )
  for (const seat of SEATS) for (const piece of armies[seat]) standing[piece.space] = piece
  return { armies, standing, clashes: [], steps: [] }
}

function follow(terrain: Terrain, story: Story, history: readonly PublicEvent[], i: number): void {
  const event = history[i]
  if (event === undefined) return
  switch (event.type) {
    case 'pieceMoved':
      moved(terrain, story, event, null)
      break
    case 'pieceAttacked':
      noteClash(terrain, story, event, { history, i })
      moved(terrain, story, event, event.outcome)
      break
    case 'flagRevealed':
      know(terrain, story, event.space, setOf(numberOf('flag')))
      break
    case 'officerScouted':
      know(terrain, story, event.space, setOf(numberOf(event.kind)))
      break
    case 'seatEliminated':
      for (const piece of story.armies[event.seat]) lift(story, piece)
      break
    // Of a flip game, which has no armies to tell of.
    case 'pieceFlipped':
    case 'coloursKnown':
    case 'turnSkipped':
    case 'drawOffered':
    case 'drawAnswered':
    case 'drawLapsed':
      break
    default:
      assertNever(event)
  }
}

const GONE: Readonly<Record<AttackOutcome, number>> = {
  attackerWins: DEFENDER_GONE,
  defenderWins: ATTACKER_GONE,
  bothRemoved: ATTACKER_GONE | DEFENDER_GONE,
  repelled: 0,
}

interface FromTo {
  readonly from: string
  readonly to: string
}

function moved(
  terrain: Terrain,
  story: Story,
  { from, to }: FromTo,
  outcome: AttackOutcome | null,
): void {
  const [start, end] = [indexOf(terrain, from), indexOf(terrain, to)]
  const [piece, defender] = [story.standing[start], story.standing[end]]
  if (piece === null || piece === undefined) return
  piece.possible &= MOVERS
  if (!isWalk(terrain, story.standing, start, end)) piece.possible &= terrain.roamers
  story.steps.push({ piece, from: start, to: end })
  const gone = GONE[outcome ?? 'attackerWins']
  if (outcome === 'repelled') return
  if (defender && (gone & DEFENDER_GONE) !== 0) lift(story, defender)
  lift(story, piece)
  piece.moves++
  if ((gone & ATTACKER_GONE) !== 0) return
  piece.space = end
  story.standing[end] = piece
}

function noteClash(
  terrain: Terrain,
  story: Story,
  event: Extract<PublicEvent, { type: 'pieceAttacked' }>,
  told: Told,
): void {
  const attacker = story.standing[indexOf(terrain, event.from)]
  const defender = story.standing[indexOf(terrain, event.to)]
  if (!attacker || !defender) return
  attacker.attacks++
  defender.stands++
  story.clashes.push(clashOf(terrain, { attacker, defender, gone: GONE[event.outcome] }, told))
}

function know(terrain: Terrain, story: Story, space: string, kinds: KindSet): void {
  const piece = story.standing[indexOf(terrain, space)]
  if (piece) piece.possible &= kinds
}

function lift({ standing }: Story, piece: Dossier): void {
  if (standing[piece.space] === piece) standing[piece.space] = null
  piece.space = -1
}

const indexOf = ({ ground }: Terrain, space: string): number =>
  ground.board.indexOf.get(space) ?? -1

/** Pieces stand where the view has them, and are what it says. */
function caughtUp(terrain: Terrain, story: Story, { view }: Sight): Story {
  const { spaces } = terrain.ground.board
  const seen = new Map(view.pieces.map((piece) => [piece.id, piece]))
  story.standing.fill(null)
  for (const seat of SEATS) {
    for (const piece of story.armies[seat]) {
      const home = spaces[terrain.homes[seat][piece.place] ?? -1] ?? ''
      const found = seen.get(`${seat}:${home}`)
      piece.space = found === undefined ? -1 : indexOf(terrain, found.space)
      if (found === undefined) continue
      if (found.kind !== 'hidden') piece.possible = setOf(numberOf(found.kind))
      story.standing[piece.space] = piece
    }
  }
  return story
}

import type { RoomHandle } from '@junqi/client'
import { randomFormation, SEATS, type Seat } from '@junqi/engine'
import type { PlayerId, RoomView } from '@junqi/protocol'

/** Something to ask of the room; `kind` tells what was tried already. */
export interface Act {
  readonly kind: string
  readonly send: (room: RoomHandle) => ReturnType<RoomHandle['ready']>
}

export interface Standpoint {
  readonly view: RoomView
  readonly me: PlayerId
  readonly random: () => number
  /** Games are begun and played on, not begun anew. */
  readonly isLastGame: boolean
}

/** What a player who does all kinds of things does next; null: it waits for the others. */
export function chooseAct(standpoint: Standpoint): Act | null {
  switch (standpoint.view.phase) {
    case 'lobby':
      return inLobby(standpoint)
    case 'deployment':
      return inDeployment(standpoint)
    case 'playing':
      return inPlay(standpoint)
    case 'finished':
      return afterwards(standpoint)
  }
}

const act = (kind: string, send: Act['send']): Act => ({ kind, send })
const ready = act('ready', (room) => room.ready())
const notReady = act('notReady', (room) => room.notReady())
const stand = act('stand', (room) => room.stand())
const leave = act('leave', (room) => room.leave())
const start = act('start', (room) => room.start())
const rematch = act('rematch', (room) => room.rematch())
const offerDraw = act('offerDraw', (room) => room.offerDraw())
const resign = act('resign', (room) => room.resign())

function inLobby(standpoint: Standpoint): Act | null {
  const { view, me, random } = standpoint
  const { seat } = view.you
  if (seat === null) return sitDown(standpoint)
  const asked = view.swaps.find((swap) => swap.with === seat)
  if (asked !== undefined) {
    const accept = random() < 0.5
    return act('answerSwap', (room) => room.answerSwap(asked.swap, accept))
  }
  const isHost = view.host === me
  if (view.seats[seat]?.ready === true) {
    const everyone = view.rules.ruleSet.seats.every((each) => view.seats[each]?.ready === true)
    if (isHost && everyone) return start
    return random() < 0.05 ? notReady : null
  }
  const mood = random()
  if (mood < 0.04) return stand
  if (mood < 0.06) return leave
  if (mood < 0.12) return askToSwap(standpoint, seat) ?? ready
  if (mood < 0.18) return sitDown(standpoint) ?? ready
  if (mood < 0.22 && isHost) return changeRules(standpoint)
  if (mood < 0.25 && isHost) return removeOther(standpoint, seat) ?? ready
  if (mood < 0.27 && isHost) return changeSpectators(standpoint)
  return ready
}

function sitDown({ view, random }: Standpoint): Act | null {
  const seat = pick(
    view.rules.ruleSet.seats.filter((each) => view.seats[each] === null),
    random,
  )
  return seat === undefined ? null : act('sit', (room) => room.sit(seat))
}

function askToSwap(standpoint: Standpoint, own: Seat): Act | null {
  const other = otherSeat(standpoint, own)
  return other === undefined ? null : act('requestSwap', (room) => room.requestSwap(other))
}

function removeOther(standpoint: Standpoint, own: Seat): Act | null {
  const other = otherSeat(standpoint, own)
  const player = other === undefined ? undefined : standpoint.view.seats[other]?.player.id
  return player === undefined ? null : act('removePlayer', (room) => room.removePlayer(player))
}

const otherSeat = ({ view, random }: Standpoint, own: Seat): Seat | undefined =>
  pick(
    SEATS.filter((seat) => seat !== own && view.seats[seat] !== null),
    random,
  )

function changeRules({ view, random }: Standpoint): Act {
  const { preset, options } = view.rules
  const flipFlag = pick(['smallest', 'engineer', 'any'], random) ?? 'any'
  if (preset === 'flip')
    return act('setRules', (room) => room.setRules(preset, { ...options, flipFlag }))
  const landmine = pick(['stands', 'mutual', 'explodes', 'repels'], random) ?? 'stands'
  return act('setRules', (room) => room.setRules(preset, { ...options, landmine }))
}

function changeSpectators({ random }: Standpoint): Act {
  const moves = 1 + Math.floor(random() * 5)
  const spectators = pick([{ mode: 'public' }, { mode: 'delayed', moves }] as const, random)
  return act('setSpectators', (room) => room.setSpectators(spectators ?? { mode: 'none' }))
}

function inDeployment({ view, random }: Standpoint): Act | null {
  const { seat } = view.you
  if (seat === null) return null
  if (view.seats[seat]?.ready === true) return random() < 0.05 ? notReady : null
  const formation = randomFormation(view.rules.ruleSet, random)
  const mood = random()
  if (mood < 0.7) return act('saveDraft', (room) => room.saveDraft(formation))
  if (mood < 0.72) return stand
  return act('submitFormation', (room) => room.submitFormation(formation))
}

function inPlay(standpoint: Standpoint): Act | null {
  const { view, random } = standpoint
  const { game, you } = view
  if (game === null || you.seat === null) return null
  const status = game.seats[you.seat]
  if (status === null || status.out !== null) return null
  const { offer } = game
  if (offer !== null && offer.by !== you.seat && !offer.accepted.includes(you.seat)) {
    const accept = random() < 0.4
    return act('answerDraw', (room) => room.answerDraw(offer.number, accept))
  }
  const mayOffer =
    offer === null && (status.offeredAt === null || status.turns >= status.offeredAt + 10)
  if (mayOffer && random() < 0.02) return offerDraw
  if (game.toMove !== you.seat) return null
  if (game.moves >= view.rules.ruleSet.resignFromMove && random() < 0.004) return resign
  return random() < 0.002 ? leave : moveAny(standpoint)
}

function moveAny(standpoint: Standpoint): Act | null {
  const { view, random } = standpoint
  const space = pick(view.flips ?? [], random)
  const isFlip = Object.keys(view.legalMoves).length === 0 || random() < 0.5
  if (space !== undefined && isFlip) return act('flip', (room) => room.flip(space))
  const [from, targets] = pick(Object.entries(view.legalMoves), random) ?? []
  const to = pick(targets ?? [], random)
  if (from === undefined || to === undefined) return null
  return act('move', (room) => room.move(from, to))
}

function afterwards({ view, isLastGame }: Standpoint): Act | null {
  return isLastGame || view.rematch !== null || view.you.seat === null ? null : rematch
}

const pick = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)]

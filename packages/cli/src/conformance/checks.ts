import type { ErrorCode, ServerMessage } from '@junqi/protocol'
import type { Admission, Link, ToldFrame } from './line.ts'
import { noMoveFor, type Scene } from './scene.ts'

/** A game in which something happens that a client has to cope with. */
export interface Check {
  readonly name: string
  /** What the client has to do. */
  readonly text: string
  /** Seconds of a turn: short where one has to run out. */
  readonly turnSeconds: number
  /** Seconds in which there is nothing that the client could do: no fault of its own. */
  readonly silentSeconds?: number
  /** Refusals that come of what is done to the client. */
  readonly allowed: readonly ErrorCode[]
  /** Sets the scene; resolves when the client has done what it had to, and rejects with what it did wrong. */
  readonly stage: (scene: Scene) => Promise<void>
}

/** The longest and the shortest that rules allow. */
const LONG_TURN = 600
const SHORT_TURN = 5
/** After which a client comes back or sends again, in milliseconds. */
const HINT_MS = 300
/** The clocks of two processes need not agree to the millisecond. */
const EARLIEST_MS = HINT_MS - 10

type Event = Extract<ServerMessage, { readonly type: 'event' }>

/** The opponent plays on until a turn, and then gives up. The client has the even turns. */
const givingUpAt = (last: number) => ({
  plan: async (turn: number) => (turn >= last ? ('resign' as const) : ('move' as const)),
})

const isEventOf = (message: ServerMessage, turn: number): message is Event =>
  message.type === 'event' && message.turn === turn && message.next !== null

/** The client is told that it is to move, by what happened. */
const isTurnOf = (message: ServerMessage, turn: number): message is Event =>
  isEventOf(message, turn) && message.next === 'south'

/** The client knows that it is to move, from what happened or from the whole room as it is. */
const tellsTurn = (message: ServerMessage, turn: number): boolean =>
  isTurnOf(message, turn) ||
  (message.type === 'snapshot' &&
    message.view.game?.turn === turn &&
    message.view.game.toMove === 'south')

const duel: Check = {
  name: 'duel',
  text: 'plays a whole duel: says hello first, sits down, hands in a formation, moves, and ends with 0',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    await scene.moveOf(0)
    let isAlive = false
    for (const link of scene.links) {
      link.ping(() => {
        isAlive = true
      })
    }
    await scene.until('It answered no WebSocket ping.', () => isAlive || null)
  },
}

const duplicates: Check = {
  name: 'duplicates',
  text: 'drops an event whose version it has had, and acts once',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    scene.tampering = {
      ...givingUpAt(7),
      tell: (message) => (message.type === 'event' ? [message, message] : [message]),
    }
    await scene.moveOf(6)
  },
}

const gap: Check = {
  name: 'gap',
  text: 'sees that a version is missing, and subscribes with the one that it has',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    let missing: number | null = null
    scene.tampering = {
      // What is kept from the client is an offer that lapses, so that it has to answer nothing.
      async plan(turn, room) {
        if (turn === 3) await room.offerDraw()
        return turn >= 7 ? 'resign' : 'move'
      },
      tell(message) {
        const isOffer =
          message.type === 'event' && message.events.some(({ type }) => type === 'drawOffered')
        if (!isOffer || missing !== null) return [message]
        missing = message.version
        return []
      },
    }
    await scene.moveOf(2)
    const asked = await scene.until(
      'It did not subscribe again when an event followed another whose version it had not had.',
      () =>
        missing === null
          ? null
          : scene.found(
              'subscribe',
              (_, { at }) => at > (scene.found('move', ({ turn }) => turn === 2)?.at ?? 0),
            ),
    )
    const had = (missing ?? 0) - 1
    if (asked.message.since !== had) {
      const given =
        asked.message.since === undefined ? 'without since' : `since ${asked.message.since}`
      scene.blame(`It subscribed ${given} after the gap; the last version that it had was ${had}.`)
    }
    await scene.moveOf(4)
    await scene.moveOf(6)
  },
}

const unknown: Check = {
  name: 'unknown',
  text: 'ignores message types, event types and fields that it does not know',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    scene.tampering = { ...givingUpAt(5), tell: withNews }
    await scene.moveOf(4)
  },
}

/** As a later version of the server may say it. */
function withNews(message: ServerMessage): readonly ToldFrame[] {
  const news = { type: 'weatherChanged', sky: 'clear' }
  switch (message.type) {
    case 'event':
      return [news, { ...message, weather: 'clear', events: [news, ...message.events] }]
    case 'snapshot':
      return [news, { ...message, weather: 'clear', view: { ...message.view, weather: 'clear' } }]
    default:
      return [{ ...message, weather: 'clear' }]
  }
}

const retryable: Check = {
  name: 'retryable',
  text: 'sends what was refused as retryable again, with the same id, after retryAfterMs',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    let isRefused = false
    scene.tampering = {
      ...givingUpAt(3),
      say({ message, link }) {
        if (message.type !== 'move' || isRefused) return [message]
        isRefused = true
        link.tell(refusalOf(message.id, message.room))
        return []
      },
    }
    const first = await scene.moveOf(0)
    const again = await scene.until(
      'It did not send again a move that was refused as retryable.',
      () => scene.found('move', (_, { at }) => at > first.at),
    )
    if (again.at - first.at < EARLIEST_MS) {
      scene.blame(`It sent again at once; retryAfterMs was ${HINT_MS}.`)
    }
    await scene.moveOf(2)
  },
}

const refusalOf = (re: string, room: string): ToldFrame => ({
  type: 'error',
  re,
  code: 'unavailable',
  message: 'The store does not answer.',
  retryable: true,
  retryAfterMs: HINT_MS,
  room,
  version: null,
  turn: null,
})

const restart: Check = {
  name: 'restart',
  text: 'comes back after a close with 1012, when the reason says, as the same player, and plays on',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    let closedAt: number | null = null
    let had: number | null = null
    scene.tampering = {
      ...givingUpAt(5),
      tell(message, link) {
        if (closedAt !== null) return link === scene.links[0] ? [] : [message]
        if (isTurnOf(message, 4)) {
          closedAt = performance.now()
          had = message.version - 1
          link.close(1012, JSON.stringify({ retryAfterMs: HINT_MS }))
          return []
        }
        return [message]
      },
    }
    await scene.moveOf(2)
    const [back, openedAt] = await scene.until(
      'It did not come back after a close with 1012.',
      () => secondLink(scene),
    )
    if (openedAt - (closedAt ?? 0) < EARLIEST_MS) {
      scene.blame(`It came back at once; the reason of the close said after ${HINT_MS} ms.`)
    }
    await resubscribes(scene, back, had ?? 0)
    await scene.moveOf(4)
  },
}

function secondLink(scene: Scene): readonly [Link, number] | null {
  const [, back] = scene.links
  return back === undefined ? null : [back, performance.now()]
}

/** Subscribes on a connection, with the version that it has or for the whole room. */
async function resubscribes(scene: Scene, back: Link, had: number): Promise<void> {
  const { message } = await scene.until('It did not subscribe on its new connection.', () =>
    scene.found('subscribe', (_, { link }) => link === back),
  )
  if (message.since !== undefined && message.since !== had) {
    scene.blame(`It subscribed since ${message.since}; the last version that it had was ${had}.`)
  }
}

const refused: Check = {
  name: 'refused',
  text: 'comes back although its first attempts are refused: torn off, then 503 by a node that is drained',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    let isClosed = false
    const refusals: Admission[] = ['torn', 'drained']
    scene.tampering = {
      ...givingUpAt(5),
      tell(message, link) {
        if (!isClosed && isTurnOf(message, 4)) {
          isClosed = true
          link.close(1012, JSON.stringify({ retryAfterMs: HINT_MS }))
        }
        return isClosed && link === scene.links[0] ? [] : [message]
      },
      admit: () => (isClosed ? (refusals.shift() ?? 'open') : 'open'),
    }
    await scene.moveOf(2)
    await scene.until(
      'It did not come back after a close with 1012 and two handshakes that were refused: the first was torn off, the second answered with 503 (unavailable, retryable). While a server starts anew nobody may listen there for some seconds: try again, after longer and longer waits.',
      () => secondLink(scene),
    )
    await scene.moveOf(4)
  },
}

const resumed: Check = {
  name: 'resumed',
  text: 'moves after it came back to a turn that it had been told of, with nothing to catch up',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    let isTold = false
    let isCut = false
    scene.tampering = {
      ...givingUpAt(5),
      // What it asks for, or the move that it makes by itself, is lost.
      say({ message, link }) {
        if (!isTold || link !== scene.links[0] || message.type === 'ping') return [message]
        isCut = true
        link.cut()
        return []
      },
      tell(message) {
        isTold ||= tellsTurn(message, 2)
        return [message]
      },
    }
    await scene.until(noMoveFor(2), () => isCut || null)
    const [back] = await scene.until('It did not come back after its connection broke.', () =>
      secondLink(scene),
    )
    await scene.until(
      'It made no move for turn 2 after it came back, although it had been told of that turn before its connection broke: legalMoves are in no event, so when nothing follows the ack of since it has to subscribe without since.',
      () => scene.found('move', ({ turn }, { link }) => turn === 2 && link === back),
    )
    await scene.moveOf(4)
  },
}

const unanswered: Check = {
  name: 'unanswered',
  text: 'makes no second move of one that was carried out, but whose answer was lost with the connection',
  turnSeconds: LONG_TURN,
  allowed: [],
  async stage(scene) {
    scene.tampering = {
      ...givingUpAt(5),
      tell(message, link) {
        if (link !== scene.links[0] || scene.links.length > 1) return [message]
        const isHeld = scene.found('move', ({ turn }) => turn === 2) !== null
        if (isHeld && isEventOf(message, 3)) link.cut()
        return isHeld ? [] : [message]
      },
    }
    await scene.moveOf(2)
    await scene.until('It did not come back after its connection broke.', () => secondLink(scene))
    await scene.moveOf(4)
  },
}

const stale: Check = {
  name: 'stale',
  text: 'goes on after its move came too late and was refused as stale_turn',
  turnSeconds: SHORT_TURN,
  silentSeconds: 2 * SHORT_TURN,
  allowed: ['stale_turn', 'too_late', 'not_your_turn'],
  async stage(scene) {
    const refused = signal()
    let held: { readonly text: string; readonly id: string; readonly link: Link } | null = null
    scene.tampering = {
      async plan(turn) {
        if (turn === 3) await refused.given
        return turn >= 5 ? 'resign' : 'move'
      },
      say({ message, link }) {
        if (message.type !== 'move' || message.turn !== 2 || held !== null) return [message]
        held = { text: JSON.stringify(message), id: message.id, link }
        return []
      },
      tell(message) {
        if (message.type === 'error' && message.re === held?.id) refused.give()
        // Its turn has run out: now what it sent in time arrives.
        if (isEventOf(message, 3)) held?.link.say(held.text)
        return [message]
      },
    }
    await scene.moveOf(2)
    await scene.moveOf(4)
  },
}

const missed: Check = {
  name: 'missed',
  text: 'plays on after a turn of which it heard only when it was over',
  turnSeconds: SHORT_TURN,
  silentSeconds: 2 * SHORT_TURN,
  allowed: ['stale_turn', 'too_late', 'not_your_turn'],
  async stage(scene) {
    const held: ServerMessage[] = []
    let isHolding = false
    let isOver = false
    scene.tampering = {
      ...givingUpAt(5),
      tell(message) {
        if (!isOver && isTurnOf(message, 2)) isHolding = true
        if (!isHolding) return [message]
        held.push(message)
        if (!isTurnOf(message, 4)) return []
        isHolding = false
        isOver = true
        return held
      },
    }
    await scene.moveOf(0)
    await scene.moveOf(4)
  },
}

/** Something that is waited for, once. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** All of them, in the order in which they are told. */
export const CHECKS: readonly Check[] = [
  duel,
  duplicates,
  gap,
  unknown,
  retryable,
  restart,
  refused,
  resumed,
  unanswered,
  stale,
  missed,
]

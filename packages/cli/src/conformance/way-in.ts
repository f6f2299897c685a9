import type { ClientMessage } from '@junqi/protocol'
import type { Errand } from './client-program.ts'

/** What a client asked for over HTTP (a socket that was refused is that too), and how that was answered. */
export interface Asked {
  readonly what: string
  readonly status: number
}

/** How far a client has come. */
export interface Traces {
  readonly asked: readonly Asked[]
  /** Of its connections. */
  readonly connections: number
  /** The types of what it said. */
  readonly said: ReadonlySet<ClientMessage['type']>
}

interface Step {
  readonly isTaken: (traces: Traces) => boolean
  /** In a sentence, that the step before was the last. */
  readonly undone: (errand: Errand, traces: Traces) => string
}

const says = (type: ClientMessage['type'], undone: Step['undone']): Step => ({
  isTaken: ({ said }) => said.has(type),
  undone,
})

/** What every client does before its first move. It may sit down before it subscribes, or after. */
const WAY_IN: readonly Step[] = [
  {
    isTaken: ({ asked, connections }) => asked.length > 0 || connections > 0,
    undone: ({ server }) =>
      `It made no guest: no request came to $JUNQI_SERVER (${server}), which {server} in its command line stands for as well.`,
  },
  {
    isTaken: ({ connections }) => connections > 0,
    undone: (_, { asked }) =>
      `It opened no WebSocket at $JUNQI_SERVER/v1/ws; the last that it asked for was ${answered(asked.at(-1))}.`,
  },
  says('hello', () => 'It connected to $JUNQI_SERVER, but did not say hello.'),
  says('sit', (errand) => `It said hello, but did not sit down: its seat is ${placeOf(errand)}.`),
  says('ready', () => 'It sat down in $JUNQI_ROOM, but did not say ready.'),
  says(
    'subscribe',
    () => 'It did not subscribe to $JUNQI_ROOM, so it does not hear what happens there.',
  ),
  says(
    'submitFormation',
    () => 'It said ready, but handed in no formation when deploymentStarted came.',
  ),
]

/** The first that a client left undone of what comes before its first move; null: nothing. */
export function undoneOf(traces: Traces, errand: Errand): string | null {
  const step = WAY_IN.find(({ isTaken }) => !isTaken(traces))
  return step?.undone(errand, traces) ?? null
}

/** Messages and requests by which a client has a game of its own. */
const ELSEWHERE: readonly string[] = ['createRoom', 'quickPlay', 'addBot', 'POST /v1/rooms']

/** What is wrong about asking for this where a table and an opponent are there already; null: nothing. */
export const goesElsewhere = (by: string, errand: Errand): string | null =>
  ELSEWHERE.includes(by)
    ? `It asked for a game of its own (${by}): it has to sit down in ${placeOf(errand)}, where its opponent waits.`
    : null

const placeOf = ({ room, seat }: Errand): string => `$JUNQI_ROOM (${room}) at $JUNQI_SEAT (${seat})`

const answered = (asked: Asked | undefined): string =>
  asked === undefined ? 'nothing' : `${asked.what}, answered with ${asked.status}`

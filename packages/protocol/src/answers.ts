import type { ClientMessage } from './client-message.ts'
import type { ServerMessage } from './server-message.ts'

type Answers = Readonly<Record<ClientMessage['type'], readonly ServerMessage['type'][]>>

/** What goes into the log is answered by its entry; sent again, or without a subscription to the room, by an `ack`. */
const LOGGED = ['event', 'ack'] as const
const ACCEPTED = ['ack'] as const

/** By what each message is answered when it is accepted. Whatever is refused is answered by an `error`. */
export const ANSWERS = {
  hello: ['welcome'],
  ping: ['pong'],
  subscribe: ['snapshot', 'ack'],
  unsubscribe: ACCEPTED,
  createRoom: ACCEPTED,
  sit: LOGGED,
  stand: LOGGED,
  requestSwap: LOGGED,
  answerSwap: LOGGED,
  setRules: LOGGED,
  setSpectators: LOGGED,
  removePlayer: LOGGED,
  addBot: LOGGED,
  ready: LOGGED,
  notReady: LOGGED,
  start: LOGGED,
  leave: LOGGED,
  rematch: LOGGED,
  saveDraft: ACCEPTED,
  submitFormation: LOGGED,
  move: LOGGED,
  flip: LOGGED,
  resign: LOGGED,
  offerDraw: LOGGED,
  answerDraw: LOGGED,
  say: ACCEPTED,
  silence: ACCEPTED,
  mutePlayer: ACCEPTED,
  quickPlay: ACCEPTED,
  joinPair: ACCEPTED,
  cancelQuickPlay: ACCEPTED,
  askQuickPlay: ACCEPTED,
  watchLobby: ACCEPTED,
  unwatchLobby: ACCEPTED,
} as const satisfies Answers

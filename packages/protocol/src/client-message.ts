import { z } from 'zod'
import { CHANNELS, channel, chatPosition, chatText, phrase } from './chat.ts'
import { commandId, invitation, playerId, roomId } from './ids.ts'
import type { Immutable } from './immutable.ts'
import { lobbyFilters } from './lobby.ts'
import {
  botLevel,
  formationInput,
  presetName,
  ruleOptionsInput,
  seat,
  spaceId,
  turn,
  version,
} from './primitives.ts'
import { spectators } from './spectators.ts'

const inRoom = { id: commandId, room: roomId }
const WAIT = 'a wait is 0 to 600 seconds'

export const hello = z
  .strictObject({
    type: z.literal('hello'),
    id: commandId,
    client: z
      .string()
      .max(64)
      .describe("The client program's name and version, for the server's log."),
  })
  .describe('The first message on every connection. Others may follow without waiting.')

export const ping = z
  .strictObject({ type: z.literal('ping'), id: commandId })
  .describe('Asks for the server time.')

export const subscribe = z
  .strictObject({
    type: z.literal('subscribe'),
    ...inRoom,
    since: version.exactOptional().describe('The version that the client has.'),
    invitation: invitation
      .exactOptional()
      .describe('For a private room of which one is not a member yet.'),
    heard: z
      .array(chatPosition)
      .max(CHANNELS.length)
      .exactOptional()
      .describe('The talk that the client has: it is not told again.'),
    shown: z
      .boolean()
      .exactOptional()
      .describe('True: others are told your name while you look on. Else you are only counted.'),
  })
  .describe('Watch a room, or catch up with it after a gap.')

export const unsubscribe = z
  .strictObject({ type: z.literal('unsubscribe'), ...inRoom })
  .describe('Watch a room no longer. Seats are kept.')

const options = ruleOptionsInput.exactOptional().describe('Left out: the preset as it is.')

export const createRoom = z
  .strictObject({
    type: z.literal('createRoom'),
    id: commandId,
    preset: presetName,
    options,
    private: z
      .boolean()
      .exactOptional()
      .describe('In no list, and entered by invitation only. Left out: false.'),
    spectators: spectators.exactOptional().describe('Left out: `public`.'),
  })
  .describe('Make a room. Its maker is its host and has no seat yet.')

export const sit = z
  .strictObject({
    type: z.literal('sit'),
    ...inRoom,
    seat,
    invitation: invitation
      .exactOptional()
      .describe('For a private room of which one is not a member yet.'),
  })
  .describe('Lobby: take an empty seat. Who has a seat changes to the new one.')

export const stand = z
  .strictObject({ type: z.literal('stand'), ...inRoom })
  .describe('Before play: give the seat up. In deployment this brings the room back to the lobby.')

export const requestSwap = z
  .strictObject({ type: z.literal('requestSwap'), ...inRoom, seat })
  .describe('Lobby: ask the player on a taken seat to swap.')

export const answerSwap = z
  .strictObject({
    type: z.literal('answerSwap'),
    ...inRoom,
    swap: z.number().int().min(1).describe('The number of the request.'),
    accept: z.boolean(),
  })
  .describe('Say yes or no to a request to swap seats.')

export const ready = z
  .strictObject({ type: z.literal('ready'), ...inRoom })
  .describe('Lobby: ready to start. In deployment a seat gets ready by `submitFormation`.')

export const notReady = z
  .strictObject({ type: z.literal('notReady'), ...inRoom })
  .describe('Lobby and deployment: not ready after all.')

export const setRules = z
  .strictObject({
    type: z.literal('setRules'),
    ...inRoom,
    preset: presetName,
    options,
  })
  .describe("Host, lobby: replace the rules. Clears everyone's ready.")

export const setSpectators = z
  .strictObject({ type: z.literal('setSpectators'), ...inRoom, spectators })
  .describe('Host, lobby: who may look on while the game runs, and how late (R-ROOM-1).')

export const removePlayer = z
  .strictObject({ type: z.literal('removePlayer'), ...inRoom, player: playerId })
  .describe('Host, before play: put a seated player out of its seat.')

export const addBot = z
  .strictObject({ type: z.literal('addBot'), ...inRoom, seat, level: botLevel })
  .describe(
    'Host, lobby: seat a bot of this level that is connected. `removePlayer` takes it away again.',
  )

export const say = z
  .strictObject({
    type: z.literal('say'),
    ...inRoom,
    channel,
    text: chatText.exactOptional(),
    phrase: phrase.exactOptional(),
  })
  .refine(
    ({ text, phrase: key }) => (text === undefined) !== (key === undefined),
    'say has either a text or a phrase',
  )
  .describe('Say something to those who hear the channel (R-CHAT-1), in text or by a phrase.')

export const silence = z
  .strictObject({
    type: z.literal('silence'),
    ...inRoom,
    player: playerId,
    silenced: z.boolean(),
  })
  .describe('Host: a player may say nothing here but to its ally, or may again (R-CHAT-5).')

export const mutePlayer = z
  .strictObject({
    type: z.literal('mutePlayer'),
    id: commandId,
    player: playerId,
    muted: z.boolean(),
  })
  .describe('Hear nothing any more, in any room, of what a player says; or hear it again.')

export const start = z
  .strictObject({ type: z.literal('start'), ...inRoom })
  .describe(
    'Host, lobby: begin deployment, when every seat is taken and ready. A flip game begins with play.',
  )

export const saveDraft = z
  .strictObject({ type: z.literal('saveDraft'), ...inRoom, formation: formationInput })
  .describe('Deployment: keep a formation without being ready. Nobody else ever learns of it.')

export const submitFormation = z
  .strictObject({ type: z.literal('submitFormation'), ...inRoom, formation: formationInput })
  .describe('Deployment: hand in the formation and be ready.')

export const move = z
  .strictObject({ type: z.literal('move'), ...inRoom, turn, from: spaceId, to: spaceId })
  .describe('Move an own piece, or attack with it.')

export const flip = z
  .strictObject({ type: z.literal('flip'), ...inRoom, turn, space: spaceId })
  .describe('Flip game: turn up the piece that lies face down there, as your turn (R-FLIP-2).')

export const resign = z
  .strictObject({ type: z.literal('resign'), ...inRoom, turn })
  .describe(
    'Give the game up, in the own turn and not before `resignFromMove` moves were made (R-OUT-5).',
  )

export const leave = z
  .strictObject({ type: z.literal('leave'), ...inRoom })
  .describe('Leave the room for good: during play by R-OUT-7, before it the seat is given up.')

export const offerDraw = z
  .strictObject({ type: z.literal('offerDraw'), ...inRoom })
  .describe('Offer a draw, in any turn (R-END-5).')

export const answerDraw = z
  .strictObject({
    type: z.literal('answerDraw'),
    ...inRoom,
    offer: z.number().int().min(1).describe('The number of the offer.'),
    accept: z.boolean(),
  })
  .describe('Say yes or no to a draw offer.')

export const rematch = z
  .strictObject({ type: z.literal('rematch'), ...inRoom })
  .describe(
    'After the end: a new room with the same seats, rules, invitation and members, which `rematchCreated` and `view.rematch` name. Whoever asks, it is one room; when that has closed, it is a new one.',
  )

export const watchLobby = z
  .strictObject({ type: z.literal('watchLobby'), id: commandId, filters: lobbyFilters })
  .describe(
    'Get the list of public rooms in `lobby`, and then what changes in it. Replaces the filters of this connection.',
  )

export const unwatchLobby = z
  .strictObject({ type: z.literal('unwatchLobby'), id: commandId })
  .describe('Get no more of the list.')

export const quickPlay = z
  .strictObject({
    type: z.literal('quickPlay'),
    id: commandId,
    preset: presetName,
    rated: z
      .boolean()
      .exactOptional()
      .describe('False: a friendly game (`scoring` is `none`). Left out: true.'),
    bots: z
      .union(
        [
          z.literal('never'),
          z.strictObject({
            afterSeconds: z.number(WAIT).int(WAIT).min(0, WAIT).max(600, WAIT),
            level: botLevel,
          }),
        ],
        'expected "never", or afterSeconds and level',
      )
      .describe('Whether bots may fill the table, and after how long.'),
    with: z
      .literal('partner')
      .exactOptional()
      .describe('Wait as a pair of allies: `quickPlayStatus` has the code for the partner.'),
  })
  .describe('Wait for a table of this preset. A player waits for one at a time.')

export const joinPair = z
  .strictObject({
    type: z.literal('joinPair'),
    id: commandId,
    code: z.string().max(20).describe('As people type it: see room codes.'),
  })
  .describe('Become the partner of who gave you the code, and wait together on those terms.')

export const cancelQuickPlay = z
  .strictObject({ type: z.literal('cancelQuickPlay'), id: commandId })
  .describe('Wait no longer; of a pair both do not.')

export const askQuickPlay = z
  .strictObject({ type: z.literal('askQuickPlay'), id: commandId })
  .describe('Asks for `quickPlayStatus`, after a new connection for example.')

export const clientMessage = z.discriminatedUnion('type', [
  hello,
  ping,
  subscribe,
  unsubscribe,
  createRoom,
  sit,
  stand,
  requestSwap,
  answerSwap,
  ready,
  notReady,
  setRules,
  setSpectators,
  removePlayer,
  say,
  silence,
  mutePlayer,
  addBot,
  start,
  saveDraft,
  submitFormation,
  move,
  flip,
  resign,
  leave,
  offerDraw,
  answerDraw,
  rematch,
  watchLobby,
  unwatchLobby,
  quickPlay,
  joinPair,
  cancelQuickPlay,
  askQuickPlay,
])
export type ClientMessage = Immutable<z.infer<typeof clientMessage>>

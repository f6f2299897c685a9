export { ANSWERS } from './answers.ts'
export {
  type GamePage,
  type GamePosition,
  type GameQuery,
  type GameShare,
  type GameSummary,
  gamePage,
  gamePosition,
  gameQuery,
  gameShare,
  gameSummary,
  type ShareQuery,
  shareToken,
} from './archived-game.ts'
export { BOT_ROSTER_FORM, type BotRoster, parseBotRoster } from './bot-roster.ts'
export {
  CHANNELS,
  CHAT_LENGTH,
  type Channel,
  type ChatPosition,
  channel,
  chatText,
  PHRASES,
  type Phrase,
  phrase,
} from './chat.ts'
export { type ClientMessage, clientMessage } from './client-message.ts'
export { CLOSE_CODES, type CloseCode, formatRetryHint, parseRetryHint } from './close-code.ts'
export {
  asReplyTo,
  type DecodeError,
  decodeClientMessage,
  decodeServerMessage,
  type EncodedMessage,
  encodeClientMessage,
  encodeServerMessage,
  readServerMessage,
  strictEncoding,
} from './codec.ts'
export { ERRORS, type ErrorCode, errorCode, httpStatusOf } from './error-code.ts'
export {
  decodePublicEvents,
  type EncodedEvents,
  encodePublicEvents,
  encodeSnapshot,
  joinEncodedEvents,
} from './history.ts'
export {
  type Admission,
  type Guest,
  guest,
  guestRequest,
  httpError,
  meta,
  roomCode,
  roomCreated,
  roomRequest,
  seatList,
  session,
} from './http.ts'
export {
  type CommandId,
  commandId,
  formatRoomCode,
  type Invitation,
  invitation,
  type PlayerId,
  parseRoomCode,
  playerId,
  type RoomId,
  roomId,
} from './ids.ts'
export type { Immutable } from './immutable.ts'
export {
  FORMATIONS_LIMIT,
  formationName,
  formationRequest,
  type KeptFormations,
  keptFormations,
  looseFormation,
  type NamedFormation,
  namedFormation,
} from './kept-formation.ts'
export { LIMITS } from './limits.ts'
export { type ListedRoom, type LobbyFilters, listedRoom } from './lobby.ts'
export { BOT_LEVELS, type BotLevel, type Player, player, playerName } from './primitives.ts'
export { readAs } from './read-as.ts'
export { type Form, readKnown } from './read-known.ts'
export {
  PHASES,
  type Phase,
  type RoomView,
  roomView,
  type ViewedEvent,
  viewedEvent,
} from './room-view.ts'
export {
  type BodyForm,
  COMMON_REFUSALS,
  type Method,
  type Operation,
  ROUTES,
  type Route,
  type RoutePath,
} from './routes.ts'
export { rules } from './rule-set.ts'
export { commitments, commitmentTo, type SealView, seal, sealOf, sealView } from './seal.ts'
export { type ServerMessage, serverMessage } from './server-message.ts'
export { type Spectators, spectators } from './spectators.ts'
export {
  type GameScore,
  gameScore,
  type Leaderboard,
  type LeaderboardQuery,
  leaderboard,
  leaderboardQuery,
  type PlayedGame,
  type PlayerPage,
  playedGame,
  playerPage,
  type Rating,
  type SeatScores,
} from './standing.ts'
export { PROTOCOL } from './version.ts'

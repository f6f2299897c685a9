import { z } from 'zod'
import {
  gamePage,
  gamePosition,
  gameQuery,
  gameShare,
  gameSummary,
  positionQuery,
  shareQuery,
} from './archived-game.ts'
import type { ErrorCode } from './error-code.ts'
import { gameRecord } from './game-record.ts'
import {
  guest,
  guestRequest,
  roomCode,
  roomCreated,
  roomList,
  roomRequest,
  seatList,
  session,
} from './http.ts'
import {
  formationRequest,
  keptFormations,
  looseFormation,
  namedFormation,
  randomFormationQuery,
} from './kept-formation.ts'
import { health, metaAnswer } from './meta.ts'
import { roomView } from './room-view.ts'
import { gameScore, leaderboard, leaderboardQuery, playerPage } from './standing.ts'

/** A body of bytes as they are, in `application/octet-stream`. */
export type BodyForm = z.ZodType | 'bytes'

/** What is done by one method of a route. */
export interface Operation {
  /** In camel case, one of its kind. */
  readonly name: string
  /** What it does and tells, for who writes a client; Markdown. */
  readonly text: string
  /**
   * Who may ask: `anyone`; `viewer`: anyone, and who brings a token is told what this player may know; `player`: nobody
   * without a token.
   */
  readonly asks: 'anyone' | 'viewer' | 'player'
  /** What else is read of the request's headers, in words. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyForm
  readonly status: 101 | 200 | 201 | 204 | 302
  /** null: no body. */
  readonly answer: BodyForm | null
  /** The codes of this operation's own; `COMMON_REFUSALS` are those that it has besides. */
  readonly refusals: readonly ErrorCode[]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A path of the public port; `:id` stands for what differs. */
export interface Route {
  /** What stands for each part that differs, in words. */
  readonly params?: Readonly<Record<string, string>>
  /** The form of what stands after the `?`. Left out: nothing may stand there. */
  readonly query?: z.ZodType
  readonly on: Partial<Record<Method, Operation>>
}

const ROOM = { id: 'The id of the room.' }
const FORMATION = { name: 'The name that you gave the formation.' }

const formationBody = {
  body: formationRequest,
  refusals: ['bad_formation', 'too_many_formations'],
} as const

/** Every route of the public port, the page and its files apart. */
export const ROUTES = {
  '/v1/guests': {
    on: {
      POST: {
        name: 'createGuest',
        text: 'Makes a player, a guest; a server that takes none says `no_guests`. With `bot`, and the server’s bot key as `Authorization: Bearer`, it is the account of a bot: the same name and level, the same account. A page of the server’s own origin gets the token as a cookie as well.',
        asks: 'anyone',
        body: guestRequest,
        status: 201,
        answer: guest,
        refusals: ['unauthorized'],
      },
    },
  },
  '/v1/session': {
    on: {
      GET: {
        name: 'readSession',
        text: 'Whose the token is, or why the handshake of the socket would be refused.',
        asks: 'player',
        status: 200,
        answer: session,
        refusals: ['busy'],
      },
    },
  },
  '/v1/seats': {
    on: {
      GET: {
        name: 'listSeats',
        text: 'The ids of the rooms where you sit, in games to come or going on.',
        asks: 'player',
        status: 200,
        answer: seatList,
        refusals: [],
      },
    },
  },
  '/v1/formations': {
    on: {
      GET: {
        name: 'listFormations',
        text: 'Your own, by name, and what you last handed in under each preset. Nobody else sees them.',
        asks: 'player',
        status: 200,
        answer: keptFormations,
        refusals: [],
      },
    },
  },
  '/v1/formations/:name': {
    params: FORMATION,
    on: {
      GET: {
        name: 'readFormation',
        text: 'One of your formations.',
        asks: 'player',
        status: 200,
        answer: namedFormation,
        refusals: [],
      },
      PUT: {
        name: 'keepFormation',
        text: 'Keeps a formation under a name, made as a player’s is; there are 20 at most. It is judged by the widest rules that a room may have, so one that is kept here may be refused at a table with others.',
        asks: 'player',
        ...formationBody,
        status: 200,
        answer: namedFormation,
      },
      DELETE: {
        name: 'dropFormation',
        text: 'Keeps it no longer.',
        asks: 'player',
        status: 204,
        answer: null,
        refusals: [],
      },
    },
  },
  '/v1/formations/:name/jql': {
    params: FORMATION,
    on: {
      GET: {
        name: 'readFormationFile',
        text: 'The formation as the bytes of QQ’s `.jql` file.',
        asks: 'player',
        status: 200,
        answer: 'bytes',
        refusals: [],
      },
      PUT: {
        name: 'keepFormationFile',
        text: 'Keeps the formation of a `.jql` file.',
        asks: 'player',
        ...formationBody,
        body: 'bytes',
        status: 200,
        answer: namedFormation,
      },
    },
  },
  '/v1/formations/:name/mirror': {
    params: FORMATION,
    on: {
      GET: {
        name: 'mirrorFormation',
        text: 'The formation with left and right changed.',
        asks: 'player',
        status: 200,
        answer: looseFormation,
        refusals: [],
      },
    },
  },
  '/v1/random-formation': {
    query: randomFormationQuery,
    on: {
      GET: {
        name: 'drawFormation',
        text: 'A valid formation by chance; with bombs in the front row if you say so.',
        asks: 'anyone',
        status: 200,
        answer: looseFormation,
        refusals: [],
      },
    },
  },
  '/v1/rooms': {
    on: {
      GET: {
        name: 'listRooms',
        text: 'The public rooms that have not ended, as `watchLobby` lists them without filters; 200 at most.',
        asks: 'anyone',
        status: 200,
        answer: roomList,
        refusals: [],
      },
      POST: {
        name: 'createRoom',
        text: 'Makes a room, as the message `createRoom` does. With the same `Idempotency-Key`, or `id`, it is the same room.',
        asks: 'player',
        headers: {
          'Idempotency-Key':
            'An id for the command, as in a message: 1 to 32 of `A-Z a-z 0-9 _ -`.',
        },
        body: roomRequest,
        status: 201,
        answer: roomCreated,
        refusals: ['bad_rules', 'too_many_rooms'],
      },
    },
  },
  '/v1/rooms/:id': {
    params: ROOM,
    on: {
      GET: {
        name: 'readRoom',
        text: 'The room as you see it, as in a `snapshot`.',
        asks: 'viewer',
        status: 200,
        answer: roomView,
        refusals: ['room_not_found', 'no_spectators'],
      },
    },
  },
  '/v1/codes/:code': {
    params: { code: 'What somebody typed.' },
    on: {
      GET: {
        name: 'readCode',
        text: 'The room that somebody means by what they typed, if you may see it.',
        asks: 'viewer',
        status: 200,
        answer: roomCode,
        refusals: ['room_not_found'],
      },
    },
  },
  '/v1/games': {
    query: gameQuery,
    on: {
      GET: {
        name: 'listGames',
        text: 'Finished games, the newest first. A page may have fewer than `limit`, or none, and go on all the same; `next` null says that there are no more.',
        asks: 'viewer',
        status: 200,
        answer: gamePage,
        refusals: [],
      },
    },
  },
  '/v1/games/:id': {
    params: ROOM,
    query: shareQuery,
    on: {
      GET: {
        name: 'readGame',
        text: 'One of them, once it has ended, as in the list.',
        asks: 'viewer',
        status: 200,
        answer: gameSummary,
        refusals: ['room_not_found'],
      },
    },
  },
  '/v1/games/:id/record': {
    params: ROOM,
    query: shareQuery,
    on: {
      GET: {
        name: 'readRecord',
        text: 'The whole game as a `junqi-record/1`.',
        asks: 'viewer',
        status: 200,
        answer: gameRecord,
        refusals: ['room_not_found'],
      },
    },
  },
  '/v1/games/:id/record.jgs': {
    params: ROOM,
    query: shareQuery,
    on: {
      GET: {
        name: 'readRecordFile',
        text: 'The same as the bytes of QQ’s `.jgs` file, or `not_in_jgs` with what one cannot tell.',
        asks: 'viewer',
        status: 200,
        answer: 'bytes',
        refusals: ['room_not_found', 'not_in_jgs'],
      },
    },
  },
  '/v1/games/:id/positions/:n': {
    params: { ...ROOM, n: 'So many actions after the start: 0 to `last`.' },
    query: positionQuery,
    on: {
      GET: {
        name: 'readPosition',
        text: 'The game after n actions, `as` somebody saw it then.',
        asks: 'viewer',
        status: 200,
        answer: gamePosition,
        refusals: ['room_not_found'],
      },
    },
  },
  '/v1/games/:id/share': {
    params: ROOM,
    query: shareQuery,
    on: {
      POST: {
        name: 'shareGame',
        text: 'A link for others. Of a private game, for its members: `share` opens it, as `?share=` of any of these. Of a public one `share` is null: its address is enough.',
        asks: 'player',
        status: 200,
        answer: gameShare,
        refusals: ['room_not_found'],
      },
    },
  },
  '/v1/games/:id/score': {
    params: ROOM,
    query: shareQuery,
    on: {
      GET: {
        name: 'readScore',
        text: 'What the game did to its players’ scores and ratings, once it has ended; by seat as in `scored`. `settled` false: not yet, ask again in a second. `scored` false: a friendly game.',
        asks: 'viewer',
        status: 200,
        answer: gameScore,
        refusals: ['room_not_found'],
      },
    },
  },
  '/g/:id': {
    params: ROOM,
    query: shareQuery,
    on: {
      GET: {
        name: 'openGame',
        text: 'What `path` of a share is: leads browsers into the page, which shows the replay.',
        asks: 'anyone',
        status: 302,
        answer: null,
        refusals: [],
      },
    },
  },
  '/v1/players/:id': {
    params: { id: 'The id of the player.' },
    on: {
      GET: {
        name: 'readPlayer',
        text: 'What everyone may know of a player, with its last 20 games.',
        asks: 'viewer',
        status: 200,
        answer: playerPage,
        refusals: [],
      },
    },
  },
  '/v1/leaderboard': {
    query: leaderboardQuery,
    on: {
      GET: {
        name: 'readLeaderboard',
        text: 'The highest scores, or ratings in a preset, first; `next` is null on the last page.',
        asks: 'anyone',
        status: 200,
        answer: leaderboard,
        refusals: [],
      },
    },
  },
  '/v1/meta': {
    on: {
      GET: {
        name: 'readMeta',
        text: 'The protocol, the limits and rates of this server, how one comes in, every preset with all its fields.',
        asks: 'anyone',
        status: 200,
        answer: metaAnswer,
        refusals: [],
      },
    },
  },
  '/v1/ws': {
    query: z.unknown(),
    on: {
      GET: {
        name: 'openSocket',
        text: 'The handshake of the socket, with the subprotocol `junqi.v1`: what is said there is in asyncapi.json. Whatever speaks against it is answered before the 101.',
        asks: 'player',
        status: 101,
        answer: null,
        refusals: ['unsupported_protocol', 'busy'],
      },
    },
  },
  '/healthz': {
    on: {
      GET: {
        name: 'isAlive',
        text: 'The process is there: `ok`. Asked as often as one likes, by whoever watches it.',
        asks: 'anyone',
        status: 200,
        answer: health,
        refusals: [],
      },
    },
  },
  '/readyz': {
    on: {
      GET: {
        name: 'isReady',
        text: 'Players may be sent here: `ready`; else `unavailable`.',
        asks: 'anyone',
        status: 200,
        answer: health,
        refusals: [],
      },
    },
  },
} as const satisfies Readonly<Record<string, Route>>

export type RoutePath = keyof typeof ROUTES

/** Refusals that need no telling route by route: of the door, of a form that is not kept, of faults. */
export const COMMON_REFUSALS = [
  'bad_json',
  'bad_message',
  'unauthorized',
  'forbidden_origin',
  'no_guests',
  'banned',
  'not_found',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[]

import type { PlayerId } from '@junqi/protocol'
import { pick } from './random.ts'
import type { Request } from './site.ts'

export interface HttpAsk {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  readonly path: string
  readonly as: 'player' | 'nobody' | 'liar'
  readonly body?: string
}

/** Asked at a time when not everything is. */
const SOME = 4

/** All that is asked over HTTP about a room, and what is answered with an error. */
export function httpAsks(player: PlayerId, about: Request): readonly HttpAsk[] {
  const { random, isListed } = about
  const all = [...asksOf(player, about), ...(isListed ? [get('/v1/rooms', 'nobody')] : [])]
  if (random === null) return all
  return Array.from({ length: SOME }, () => pick(random, all)).filter((ask) => ask !== undefined)
}

const get = (path: string, as: HttpAsk['as']): HttpAsk => ({ method: 'GET', path, as })

type About = Pick<Request, 'room' | 'other'>

/** Everyone asks for these, with and without a token. */
const pathsOf = (player: PlayerId, { room, other }: About): readonly string[] => [
  `/v1/rooms/${room}`,
  `/v1/codes/${room}`,
  `/v1/games/${room}`,
  `/v1/games/${room}/record`,
  `/v1/games/${room}/record.jgs`,
  `/v1/games/${room}/positions/0?as=truth`,
  `/v1/games/${room}/positions/3?as=south`,
  `/v1/games/${room}/score`,
  '/v1/games',
  `/v1/games?player=${player}`,
  `/v1/games?player=${other}`,
  `/v1/players/${player}`,
  '/v1/leaderboard?preset=duel',
  '/v1/leaderboard?by=score',
  '/v1/seats',
  '/v1/session',
  '/v1/formations',
]

const asksOf = (player: PlayerId, { room, other }: About): readonly HttpAsk[] => [
  ...pathsOf(player, { room, other }).flatMap((path) => [get(path, 'player'), get(path, 'nobody')]),
  get('/v1/meta', 'nobody'),
  get(`/v1/rooms/${room}`, 'liar'),
  get('/v1/rooms/zzzzzzzz', 'player'),
  get('/v1/games/zzzzzzzz', 'player'),
  get(`/v1/games/${room}/score?share=${'A'.repeat(43)}`, 'nobody'),
  get(`/v1/rooms/${room}?as=east`, 'player'),
  get('/v1/nothing', 'nobody'),
  get('/healthz', 'nobody'),
  { method: 'POST', path: `/v1/games/${room}/share`, as: 'player' },
  { method: 'POST', path: `/v1/games/${room}/share`, as: 'nobody' },
  { method: 'DELETE', path: `/v1/rooms/${room}`, as: 'player' },
  { method: 'OPTIONS', path: `/v1/rooms/${room}`, as: 'nobody' },
  { method: 'POST', path: '/v1/rooms', as: 'player', body: '{"preset":' },
  { method: 'POST', path: '/v1/rooms', as: 'player', body: '{"preset":"none"}' },
]

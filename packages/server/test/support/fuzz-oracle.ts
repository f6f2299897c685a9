import { isDeepStrictEqual } from 'node:util'
import { type PlayerId, type RoomId, roomId, roomView, serverMessage } from '@junqi/protocol'
import { z } from 'zod'
import { brokenLog, type Log, stateAt, strangeView } from '../../../../test/support/audit.ts'
import type { Store } from '../../src/ports.ts'
import { parseEntry } from '../../src/room/log-entry.ts'
import { maySee, viewerOf } from '../../src/room/room-state.ts'
import { watchOf } from '../../src/room/spectating.ts'
import { viewEntry } from '../../src/room/view-entry.ts'
import type { Message } from './test-app.ts'

/** A message of the server, and the player whose socket it came to. */
export interface HeardMessage {
  readonly player: PlayerId
  readonly message: Message
}

/** A formation that the server took, and whose it is. */
export type OwnFormations = ReadonlyMap<string, ReadonlySet<PlayerId>>

/** All that is wrong with what players were told, and with the logs of the rooms. */
export async function wrongsIn(
  store: Pick<Store, 'read'>,
  heard: readonly HeardMessage[],
  formations: OwnFormations,
): Promise<readonly string[]> {
  const logs = new Map<RoomId, Log>()
  for (const room of roomsIn(heard)) {
    const log = (await store.read(room, 0)).map(parseEntry)
    if (log.length > 0) logs.set(room, log)
  }
  return [
    ...[...logs].flatMap(([room, log]) => brokenLog(log).map((fault) => `${room}: ${fault}`)),
    ...heard.flatMap((each) => wrongWith(each, logs, formations)),
  ]
}

function roomsIn(heard: readonly HeardMessage[]): ReadonlySet<RoomId> {
  const told = heard.map(({ message }) => roomId.safeParse(message.room).data)
  return new Set(told.filter((room) => room !== undefined))
}

function wrongWith(
  { player, message }: HeardMessage,
  logs: ReadonlyMap<RoomId, Log>,
  formations: OwnFormations,
): readonly string[] {
  const read = serverMessage.safeParse(message)
  if (!read.success) return [`no message of the protocol: ${JSON.stringify(message)}`]
  const told = read.data
  const foreign = foreignFormations(player, JSON.stringify(message), formations)
  if (told.type === 'error' && (told.code === 'internal' || told.code === 'room_failed')) {
    return [...foreign, `${player} was told ${told.code}`]
  }
  if (told.type !== 'event' && told.type !== 'snapshot') return foreign
  const log = logs.get(told.room) ?? []
  const after = stateAt(log, told.version)
  if (after === null) return [...foreign, `${told.room} has no version ${told.version}`]
  // What was played with is shown at the end (R-END-6), and is held against the log below.
  const wrongs = after.phase === 'finished' ? [] : foreign
  if (!mayBeTold(log, player, told)) wrongs.push(`${player} sees ${told.room}, which is private`)
  // What who is behind is told, and when, is for the tests of R-ROOM-2.
  if (isBehind(log, told.version, player)) return wrongs
  const strange =
    told.type === 'event'
      ? strangeEvents(log, player, told)
      : strangeView(log, player, { ...told, view: roomView.parse(told.view) })
  return strange === null ? wrongs : [...wrongs, strange]
}

/** Who may see the room; of an event also who may no more by it: it is told that it is out. */
function mayBeTold(
  log: Log,
  player: PlayerId,
  { type, version }: { readonly type: 'event' | 'snapshot'; readonly version: number },
): boolean {
  return (type === 'event' ? [version - 1, version] : [version]).some((at) => {
    const state = at === 0 ? null : stateAt(log, at)
    return state !== null && maySee(state, player)
  })
}

/** The formations that a text holds and that others handed in. */
function foreignFormations(player: PlayerId, text: string, formations: OwnFormations): string[] {
  const found = text.match(/\b[1-9BLF]{25}\b/g) ?? []
  return found
    .filter((formation) => formations.get(formation)?.has(player) === false)
    .map((formation) => `${player} was told ${formation}: ${text}`)
}

const isBehind = (log: Log, version: number, player: PlayerId): boolean =>
  [version - 1, version].some((at) => {
    const state = at === 0 ? null : stateAt(log, at)
    return state !== null && watchOf(state, player) === 'delayed'
  })

const told = z.object({ events: z.array(z.unknown()) })

/** An event as its viewer learns it by the log, and by nothing else. */
function strangeEvents(
  log: Log,
  player: PlayerId,
  message: { readonly room: RoomId; readonly version: number },
): string | null {
  const { room, version } = message
  const before = stateAt(log, version - 1)
  const after = stateAt(log, version)
  const entry = log[version - 1]
  if (before === null || after === null || entry === undefined) return `${room} has no ${version}`
  const expected = viewEntry(before, entry, viewerOf(after, player))
  const { events } = told.parse(message)
  return isDeepStrictEqual(JSON.parse(JSON.stringify(expected)), JSON.parse(JSON.stringify(events)))
    ? null
    : `${version} of ${room} is to ${player} ${JSON.stringify(events)}, not ${JSON.stringify(expected)}`
}

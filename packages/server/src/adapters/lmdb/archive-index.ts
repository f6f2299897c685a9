import type { IndexedGame, RoomId } from '../../ports.ts'
import { decodeGame, encodeGame } from '../stored-game.ts'
import type { Batch, Committed, Reader } from './batch.ts'
import { KEYS } from './codec.ts'

export function readGame(reader: Reader, room: RoomId): IndexedGame | null {
  const text = reader.get(KEYS.game(room))
  return text === undefined ? null : decodeGame(room, text)
}

export function writeGame(batch: Batch, game: IndexedGame): void {
  if (batch.get(KEYS.game(game.room)) !== undefined) return
  batch.put(KEYS.game(game.room), encodeGame(game))
  for (const [list, place] of Object.entries(game.places)) {
    batch.put(KEYS.listed(list, place), game.room)
  }
}

export function removeGame(batch: Batch, room: RoomId): void {
  const game = readGame(batch, room)
  if (game === null) return
  batch.remove(KEYS.game(room))
  for (const [list, place] of Object.entries(game.places)) batch.remove(KEYS.listed(list, place))
}

/** ArchiveStore.listGames. */
export function listGames(
  tree: Committed,
  { list, after }: { readonly list: string; readonly after: string },
  limit: number,
) {
  const prefix = KEYS.listed(list, '')
  const start = KEYS.listed(list, after)
  const games: { readonly place: string; readonly game: IndexedGame }[] = []
  for (const { key, value } of tree.range(start)) {
    if (games.length >= limit || !key.startsWith(prefix)) break
    const game = key === start ? null : readGame(tree, value as RoomId)
    if (game !== null) games.push({ place: key.slice(prefix.length), game })
  }
  return games
}

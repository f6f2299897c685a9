import {
  type BoardLine,
  KEPT_GAMES,
  type PlayerId,
  type RoomId,
  type Tally,
  type TallyChange,
} from '../../ports.ts'
import { addTo, decodeTally, encodeTally, NO_TALLY } from '../stored-tally.ts'
import type { Batch, Committed, Reader } from './batch.ts'
import { KEYS } from './codec.ts'

/** ScoreStore.keepSettlement. */
export function keepSettlement(batch: Batch, room: RoomId, settlement: string): string {
  const kept = batch.get(KEYS.settlement(room))
  if (kept !== undefined) return kept
  batch.put(KEYS.settlement(room), settlement)
  return settlement
}

export function readTally(reader: Reader, player: PlayerId): Tally {
  const text = reader.get(KEYS.tally(player))
  return text === undefined ? NO_TALLY : decodeTally(text)
}

/** ScoreStore.addOnce. */
export function addOnce(
  batch: Batch,
  { player, room }: { readonly player: PlayerId; readonly room: RoomId },
  { add, line }: TallyChange,
): Tally {
  const before = readTally(batch, player)
  if (batch.get(KEYS.added(player, room)) !== undefined) return before
  const after = addTo(before, add)
  batch.put(KEYS.added(player, room), '-')
  batch.put(KEYS.tally(player), encodeTally(after))
  batch.put(KEYS.historyLine(player, after.revision), line)
  if (after.revision > KEPT_GAMES) {
    batch.remove(KEYS.historyLine(player, after.revision - KEPT_GAMES))
  }
  return after
}

/** ScoreStore.recentGames. */
export function recentGames(reader: Reader, player: PlayerId, limit: number): readonly string[] {
  const { revision } = readTally(reader, player)
  const count = Math.min(limit, KEPT_GAMES, revision)
  return Array.from({ length: count }, (_, n) =>
    reader.get(KEYS.historyLine(player, revision - n)),
  ).filter((line) => line !== undefined)
}

/** ScoreStore.placeOnBoard. */
export function placeOnBoard(
  batch: Batch,
  { board, revision }: { readonly board: string; readonly revision: number },
  { player, place, line }: BoardLine,
): void {
  const before = placeOf(batch, board, player)
  if (before !== null && before.revision > revision) return
  if (before !== null) batch.remove(KEYS.boardLine(board, before.place))
  batch.put(KEYS.boardPlace(board, player), `${revision} ${place}`)
  batch.put(KEYS.boardLine(board, place), `${player}\n${line}`)
}

function placeOf(reader: Reader, board: string, player: PlayerId) {
  const text = reader.get(KEYS.boardPlace(board, player))
  if (text === undefined) return null
  const end = text.indexOf(' ')
  return { revision: Number(text.slice(0, end)), place: text.slice(end + 1) }
}

/** ScoreStore.board. */
export function readBoard(
  tree: Committed,
  { board, after }: { readonly board: string; readonly after: string },
  limit: number,
): readonly BoardLine[] {
  const prefix = KEYS.board(board)
  const start = KEYS.boardLine(board, after)
  const lines: BoardLine[] = []
  for (const { key, value } of tree.range(start)) {
    if (lines.length >= limit || !key.startsWith(prefix)) break
    if (key === start) continue
    const end = value.indexOf('\n')
    const player = value.slice(0, end) as PlayerId
    lines.push({ place: key.slice(prefix.length), player, line: value.slice(end + 1) })
  }
  return lines
}

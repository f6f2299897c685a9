import {
  formatFlip,
  formatMove,
  type GameRecord,
  type GameState,
  legalFlips,
  legalMoves,
  perft,
  replayRecord,
} from '@junqi/engine'
import { type Command, parseArguments } from '../command.ts'
import { usageFailure } from '../failure.ts'
import { illegalAction, readRecord } from '../input.ts'
import { writeLine } from '../output.ts'
import { type Progress, progressOn } from '../progress.ts'

const DEPTH = /^\d{1,2}$/
/** From this depth on a count may take long. */
const LONG_DEPTH = 3

/** Counts move sequences from a record's last position. */
export const perftCommand: Command = {
  name: 'perft',
  parameters: 'RECORD DEPTH',
  summary: 'count the legal move sequences of a length from the last position',
  async run(args, streams) {
    const { operands } = parseArguments(perftCommand, args, {
      options: {},
      operands: ['RECORD', 'DEPTH'],
    })
    const [path = '', depth = ''] = operands
    if (!DEPTH.test(depth)) {
      throw usageFailure(`DEPTH must be a whole number from 0 to 99, not ${depth}`)
    }
    const record = await readRecord(path, streams)
    const replayed = replayRecord(record)
    if (!replayed.ok) throw illegalAction(path, replayed.error)
    const progress = progressOn(streams)
    const count = countSequences(record, replayed.value.state, { depth: Number(depth), progress })
    progress.clear()
    await writeLine(streams.stdout, `${count}`)
    return 0
  },
}

interface Counting {
  readonly depth: number
  readonly progress: Progress
}

/** Long counts go first move by first move, to show how far they are. */
function countSequences(
  record: GameRecord,
  state: GameState,
  { depth, progress }: Counting,
): number {
  if (depth < LONG_DEPTH || state.toMove === null) return perft(record, depth)
  const actions = [
    ...legalFlips(state, state.toMove).map(formatFlip),
    ...legalMoves(state, state.toMove).map(formatMove),
  ]
  return actions.reduce((count, action, i) => {
    progress.show(`perft ${depth}: ${i} of ${actions.length} first moves, ${count} sequences`)
    return count + perft(withAction(record, action), depth - 1)
  }, 0)
}

const withAction = (record: GameRecord, action: string): GameRecord => ({
  ...record,
  actions: [...record.actions, action],
})

import { type GameRecord, type Layout, replayRecord } from '@junqi/engine'
import { type Command, parseArguments, type Streams } from '../command.ts'
import { inputFailure, usageFailure } from '../failure.ts'
import { formatResult } from '../format-result.ts'
import { illegalAction, readRecord } from '../input.ts'
import { writeLine } from '../output.ts'
import { serveLayout } from '../play/own-server.ts'
import { playRecord, type Receipt } from '../play/play-record.ts'
import { tableRecord } from '../play/table-record.ts'
import { progressOn } from '../progress.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:8080'

/** Plays a record on real servers, and checks everything that anyone is told. */
export const playCommand: Command = {
  name: 'play',
  parameters: 'RECORD [--server URL]...',
  summary: `play a game on a server (${DEFAULT_SERVER}), or its seats on several, and check all that each seat sees; a flip game on a server of its own`,
  async run(args, streams) {
    const { values, operands } = parseArguments(playCommand, args, {
      options: { server: 'value' },
      operands: ['RECORD'],
    })
    const [path = ''] = operands
    const servers = values.get('server')?.map(checkedServer)
    const record = soundRecord(path, await readRecord(path, streams))
    const { layout } = record
    const receipts =
      layout === undefined
        ? await play(record, servers ?? [DEFAULT_SERVER], streams)
        : await playFlip(record, layout, { servers, streams })
    await report(record, receipts, streams)
    return 0
  },
}

interface FlipOccasion {
  readonly servers: readonly string[] | undefined
  readonly streams: Streams
}

/** A flip game, on a server of its own that deals the record's layout. */
async function playFlip(
  record: GameRecord,
  layout: Layout,
  { servers, streams }: FlipOccasion,
): Promise<readonly Receipt[]> {
  if (servers !== undefined) {
    throw usageFailure(
      'a server shuffles a flip game by itself, so no --server can be asked to play this one: leave --server out, and it is played on a server of its own',
    )
  }
  const server = await serveLayout(layout)
  try {
    return await play(record, [server.url], streams)
  } finally {
    await server.stop()
  }
}

function checkedServer(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (isWeb) return text
  throw usageFailure(`--server must be an address such as ${DEFAULT_SERVER}, not ${text}`)
}

/** The record as it can be played, with the result that its actions lead to. */
function soundRecord(path: string, record: GameRecord): GameRecord {
  const replayed = replayRecord(record)
  if (!replayed.ok) throw illegalAction(path, replayed.error)
  const { result } = replayed.value.state
  const isOther = record.result !== null && formatResult(record.result) !== formatResult(result)
  if (!isOther) return tableRecord({ ...record, result })
  const [told, played] = [record.result, result].map(formatResult)
  throw inputFailure(`${path}: the result is ${told}, but the actions lead to ${played}`)
}

async function play(
  record: GameRecord,
  servers: readonly string[],
  streams: Streams,
): Promise<readonly Receipt[]> {
  const progress = progressOn(streams)
  const { length } = record.actions
  try {
    return await playRecord(record, {
      servers,
      onAction: (n) => progress.show(`play: action ${n} of ${length}`),
    })
  } finally {
    progress.clear()
  }
}

/** The result, and a line for each seat and the spectator. */
async function report(
  { actions, result }: GameRecord,
  receipts: readonly Receipt[],
  { stdout }: Streams,
): Promise<void> {
  const note = result === null ? ` (unfinished after ${actions.length} actions)` : ''
  await writeLine(stdout, `result: ${formatResult(result)}${note}`)
  for (const { viewer, server, tally } of receipts) {
    const { messages, bytes } = tally
    await writeLine(stdout, `${viewer}: ${messages} messages, ${bytes} bytes from ${server}`)
  }
}

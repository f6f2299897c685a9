import { runBots } from '@junqi/bots'
import { systemEnvironment } from '@junqi/client'
import { BOT_ROSTER_FORM, type BotRoster, parseBotRoster } from '@junqi/protocol'
import { WebSocket } from 'ws'
import { ThreadThinker } from '../bots/thread-thinker.ts'
import { type Command, parseArguments, type Streams } from '../command.ts'
import { inputFailure, usageFailure } from '../failure.ts'
import { writeLine } from '../output.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:8080'
const DEFAULT_PAUSE_MS = 700

/** Runs bots against a server, on this machine or another one, until a signal ends the process. */
export const botsCommand: Command = {
  name: 'bots',
  parameters: '--levels LEVELS [--server URL] [--name PREFIX] [--pause MS] [--until-end-of-input]',
  summary: `run bots that play at a server (${DEFAULT_SERVER}), such as --levels easy:4,hard:2; its bot key is in JUNQI_BOT_KEY`,
  async run(args, streams) {
    const { values, flags } = parseArguments(botsCommand, args, {
      options: {
        levels: 'value',
        server: 'value',
        name: 'value',
        pause: 'value',
        'until-end-of-input': 'flag',
      },
      operands: [],
    })
    const last = (name: string): string | undefined => values.get(name)?.at(-1)
    const roster = rosterOf(last('levels') ?? '')
    const key = process.env.JUNQI_BOT_KEY ?? ''
    if (key === '') throw usageFailure('JUNQI_BOT_KEY is missing: the bot key of the server')
    const url = serverOf(last('server') ?? DEFAULT_SERVER)
    // They end with the server, so that it is gone needs no word.
    const isBeside = flags.has('until-end-of-input')
    let deny = (): void => {}
    const denied = new Promise<never>((_, reject) => {
      deny = () => reject(inputFailure(`${url} has another bot key than JUNQI_BOT_KEY`))
    })
    const bots = runBots({
      url,
      key,
      roster,
      prefix: last('name') ?? '',
      pauseMs: pauseOf(last('pause') ?? String(DEFAULT_PAUSE_MS)),
      thinker: new ThreadThinker(),
      random: Math.random,
      schedule: systemEnvironment.schedule,
      WebSocket,
      denied: deny,
      ...told(streams, { isBeside }),
    })
    try {
      const ends = isBeside ? [signal(), end(streams)] : [signal()]
      await Promise.race([denied, ...ends])
    } finally {
      bots.stop()
      // Nothing is left that keeps the process.
      streams.stdin.destroy()
    }
    return 0
  },
}

/** Refusals that follow from two acting at once; every other one is a fault of the bot. */
const RACES: ReadonlySet<string> = new Set([
  'stale_turn',
  'too_late',
  'wrong_phase',
  'game_over',
  'not_your_turn',
  'seat_out',
  'not_seated',
  'no_such_swap',
  'no_such_offer',
  'already_answered',
  'room_closed',
  'room_not_found',
  'room_failed',
  'closed',
  'unauthorized',
  'banned',
  'unavailable',
  'busy',
  'rate_limited',
])

function told(streams: Streams, { isBeside }: { readonly isBeside: boolean }) {
  const tell = (line: string): void => {
    // Whoever reads it may be gone; the bots play all the same.
    writeLine(streams.stderr, `junqi bots: ${line}`).catch(() => {})
  }
  let wasOnline = 0
  return {
    changed: ({ online }: { readonly online: number }): void => {
      if (online > wasOnline) tell(`${online} online`)
      else if (online === 0 && wasOnline > 0 && !isBeside) {
        tell('none online: the server is gone or restarts; they come back by themselves')
      }
      wasOnline = online
    },
    troubled: (name: string, why: string): void => tell(`${name} comes back later: ${why}`),
    refused: (what: string, code: string): void => {
      if (!RACES.has(code)) tell(`FAULT: ${what} was refused as ${code}`)
    },
    fault: (error: unknown): void => tell(`FAULT: ${error instanceof Error ? error.stack : error}`),
  }
}

function serverOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw usageFailure(`--server must be an address such as ${DEFAULT_SERVER}, not ${text}`)
}

function rosterOf(text: string): BotRoster {
  const roster = parseBotRoster(text)
  if (roster === null) throw usageFailure(`--levels must be ${BOT_ROSTER_FORM}`)
  return roster
}

function pauseOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw usageFailure(`--pause must be milliseconds, such as ${DEFAULT_PAUSE_MS}, not ${text}`)
}

const signal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
  })

/** Whoever holds the other end is gone, however it went. */
const end = ({ stdin }: Streams): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) stdin.once(event, () => resolve())
    stdin.resume()
  })

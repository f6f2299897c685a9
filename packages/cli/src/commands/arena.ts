import { LEVELS, type Level } from '@junqi/bots'
import { PRESET_NAMES, PRESETS, type PresetName } from '@junqi/engine'
import { wilson } from '../arena/interval.ts'
import { playAtServer } from '../arena/server-table.ts'
import {
  NO_GAMES,
  type Outcome,
  type Pairing,
  playPairing,
  pointsOf,
  type Tally,
  withOutcome,
} from '../arena/tournament.ts'
import { type Arguments, type Command, parseArguments, type Streams } from '../command.ts'
import { usageFailure } from '../failure.ts'
import { writeLine } from '../output.ts'
import { progressOn } from '../progress.ts'

const MOST_GAMES = 1_000_000
const MOST_NODES = 100_000_000
const MOST_SEED = 0xffff_ffff

/** Plays bots against each other: through the engine in bulk, or those of a server through sockets. */
export const arenaCommand: Command = {
  name: 'arena',
  parameters:
    '--a LEVEL --b LEVEL [--preset NAME] [--games N] [--seed N] [--nodes N] [--server URL]',
  summary:
    'play bots against each other, and print how often A wins; with --server those that are connected there',
  async run(args, streams) {
    const given = parseArguments(arenaCommand, args, {
      options: {
        a: 'value',
        b: 'value',
        preset: 'value',
        games: 'value',
        seed: 'value',
        nodes: 'value',
        server: 'value',
      },
      operands: [],
    })
    const preset = presetOf(given)
    const pairing: Pairing = {
      ruleSet: PRESETS[preset],
      a: levelOf(given, 'a'),
      b: levelOf(given, 'b'),
      seed: numberOf(given, 'seed', { most: MOST_SEED }) ?? 1,
      nodes: numberOf(given, 'nodes', { most: MOST_NODES }),
    }
    const games = numberOf(given, 'games', { most: MOST_GAMES }) ?? 100
    const started = performance.now()
    const server = textOf(given, 'server')
    const idle = ['seed', 'nodes'].find((option) => textOf(given, option) !== undefined)
    if (server !== undefined && idle !== undefined) {
      throw usageFailure(
        `--${idle} is for games through the engine; the bots of --server have their own`,
      )
    }
    const play: Play =
      server === undefined
        ? async (game) => playPairing(pairing, game)
        : (game, told) => playAtServer(server, preset, pairing, game, told)
    const tally = await playAll(play, games, streams)
    const perMove = (performance.now() - started) / Math.max(1, tally.moves)
    for (const line of reportOf(preset, pairing, { tally, server }))
      await writeLine(streams.stdout, line)
    // Not with the results, which are the same whenever and wherever they are asked for.
    await writeLine(streams.stderr, `${perMove.toFixed(2)} ms a move`)
    return 0
  },
}

type Play = (game: number, told: (moves: number) => void) => Promise<Outcome>

async function playAll(play: Play, games: number, streams: Streams): Promise<Tally> {
  const progress = progressOn(streams)
  let tally = NO_GAMES
  for (let game = 0; game < games; game++) {
    const before = `${game} of ${games} games: ${standing(tally)}`
    tally = withOutcome(
      tally,
      await play(game, (moves) => progress.show(`${before}; move ${moves}`)),
    )
    progress.show(`${tally.games} of ${games} games: ${standing(tally)}`)
    // Lets a signal, or a reader that has gone, be noticed between games.
    await new Promise(setImmediate)
  }
  progress.clear()
  return tally
}

const standing = ({ wins, draws, losses }: Tally): string =>
  `${wins} won, ${draws} drawn, ${losses} lost`

function reportOf(
  preset: PresetName,
  { a, b, seed }: Pairing,
  { tally, server }: { readonly tally: Tally; readonly server: string | undefined },
): readonly string[] {
  const { games, moves, reasons } = tally
  const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`
  const [low, high] = wilson(pointsOf(tally), games)
  const ends = Object.entries(reasons).sort(([, m], [, n]) => n - m)
  return [
    `${a} against ${b}, ${preset}, ${games} games ${server === undefined ? `from seed ${seed}` : `at ${server}`}`,
    standing(tally),
    `${a} ${percent(pointsOf(tally) / Math.max(1, games))}, 95 % interval ${percent(low)} to ${percent(high)}`,
    `${(moves / Math.max(1, games)).toFixed(1)} moves a game; ${ends.map(([reason, count]) => `${reason} ${count}`).join(', ')}`,
  ]
}

function presetOf(given: Arguments): PresetName {
  const name = textOf(given, 'preset') ?? 'duel'
  const preset = PRESET_NAMES.find((known) => known === name)
  if (preset === undefined) {
    throw usageFailure(`there is no preset ${name}; there are ${PRESET_NAMES.join(', ')}`)
  }
  return preset
}

function levelOf(given: Arguments, option: string): Level {
  const name = textOf(given, option)
  const level = LEVELS.find((known) => known === name)
  if (level === undefined) throw usageFailure(`--${option} must be one of ${LEVELS.join(', ')}`)
  return level
}

function numberOf(
  given: Arguments,
  option: string,
  { most }: { readonly most: number },
): number | undefined {
  const text = textOf(given, option)
  if (text === undefined) return undefined
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= 1 && number <= most) return number
  throw usageFailure(`--${option} must be a whole number from 1 to ${most}, not ${text}`)
}

const textOf = ({ values }: Arguments, option: string): string | undefined =>
  values.get(option)?.at(-1)

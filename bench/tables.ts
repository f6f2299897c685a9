import { ROW_NAMES, type RowName } from './budgets.ts'
import { type Figures, figureOf, type Kept } from './figures.ts'
import { type Growth, growthOf, type Measures, moveOver } from './growth.ts'
import type { Share } from './profile-summary.ts'
import { formatFigure, formatNumber, formatSpread } from './report.ts'

/** The tables of the documents, each by the name that stands in its mark. */
const TABLES: Readonly<Record<string, (figures: Figures) => string>> = {
  machine: machineLine,
  budgets: (figures) => budgetTable(figures, (row) => !row.startsWith('peer-')),
  peers: peerTable,
  'profile-lmdb': (figures) => partTable(figures, 'lmdb'),
  'functions-lmdb': (figures) => functionTable(figures, 'lmdb'),
  'allocation-lmdb': (figures) => allocationTable(figures, 'lmdb'),
  'profile-redis': (figures) => partTable(figures, 'redis'),
  sizing: sizingTable,
  measures: measureTable,
  growth: growthTable,
  strain: strainTable,
}

type Cell = string | number

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function machineLine({ machine, rows }: Figures): string {
  const { cores, cpu, node, load, commit, isPinned } = machine
  const times = Object.values(rows).map(({ at }) => at)
  const [first, last] = [times.toSorted().at(0), times.toSorted().at(-1)]
  const when = first === last ? first : `${first} to ${last}`
  const quick = Object.values(rows).some(({ isQuick }) => isQuick)
  return [
    `Taken ${when} UTC on ${cores} shared cores (${cpu}), Node ${node}, commit ${commit}; ${load} processes were running`,
    `or waiting before it began (more than 0.3 disturbs).`,
    isPinned ? 'Server and load had a core each.' : 'Server and load shared their cores.',
    ...(quick ? ['Rows marked * are of a quick run.'] : []),
  ].join(' ')
}

function budgetTable({ rows }: Figures, isWanted: (row: RowName) => boolean): string {
  const lines = ROW_NAMES.filter(isWanted).flatMap((name) => {
    const row = rows[name]
    return row === undefined ? [] : [[`\`${name}\``, ...describe(row)]]
  })
  return table(['row', 'what', 'figure', 'compared (least..most)', 'budget', ''], lines)
}

function describe(row: Kept): readonly string[] {
  const { what, ratio, figure, budget, verdict, yardstick } = row
  const spread = ratio ?? figure
  const compared = spread === null ? '-' : formatSpread(spread)
  const by = ratio === null || yardstick === null ? '' : ` x ${yardstick}`
  return [`${what}${row.isQuick ? ' *' : ''}`, formatFigure(row), compared + by, budget, verdict]
}

function peerTable(figures: Figures): string {
  const names: readonly (readonly [RowName, string])[] = [
    ['yardstick', 'bare `ws`: parses, and sends the same bytes to all'],
    ['peer-socket-io', 'socket.io 4, a frame made for each seat'],
    ['peer-colyseus', 'Colyseus 0.18, a `StateView` for each client, a patch with each move'],
    ['peer-boardgame-io', 'boardgame.io 0.50, `playerView`'],
    ['cpu-lmdb', '**this server**, LMDB: rules, views, log, synced before the answer'],
    ['cpu-redis', '**this server**, Redis with `appendfsync always`'],
  ]
  const lines = names.flatMap(([name, what]) => {
    const row = figures.rows[name]
    if (row === undefined) return []
    const ratio = row.ratio === null ? '1' : formatSpread(row.ratio)
    return [[`${what}${row.isQuick ? ' *' : ''}`, formatFigure(row), ratio]]
  })
  return table(['server', 'CPU a move', 'x bare `ws`'], lines)
}

function profileOf({ profiles }: Figures, store: string) {
  const profile = profiles[store]
  if (profile === undefined)
    throw new Error(`docs/figures.json has no profile: npm run bench:profile -- --store ${store}`)
  return profile
}

const percent = (amount: number, total: number): string =>
  `${((amount * 100) / total).toFixed(1)} %`

const shareTable = (head: readonly string[], shares: readonly Share[], total: number): string =>
  table(
    head,
    shares.map(({ name, amount }) => [name, formatNumber(amount), percent(amount, total)]),
  )

function partTable(figures: Figures, store: string): string {
  const { parts, cpu } = profileOf(figures, store)
  return shareTable(['part', 'us of a move', 'share'], parts, cpu)
}

const TOP = 20

function functionTable(figures: Figures, store: string): string {
  const { functions, cpu } = profileOf(figures, store)
  const code = functions.slice(0, TOP).map(({ name, amount }) => ({ name: `\`${name}\``, amount }))
  return shareTable(['function (its own time)', 'us of a move', 'share'], code, cpu)
}

function allocationTable(figures: Figures, store: string): string {
  const { allocatingParts, allocated } = profileOf(figures, store)
  return shareTable(['part', 'bytes of a move', 'share'], allocatingParts, allocated)
}

const measuresOf = (figures: Figures): Measures => ({
  moveAtOne: figureOf(figures, 'cpu-redis'),
  moveAtTwo: figureOf(figures, 'cpu-redis-2'),
  redisMove: figureOf(figures, 'redis-cpu'),
  accept: figureOf(figures, 'accept'),
  connection: figureOf(figures, 'idle-rss'),
  room: figureOf(figures, 'room-memory'),
  game: figureOf(figures, 'redis-memory'),
  moveBytes: figureOf(figures, 'move-bytes'),
})

function sizingTable(figures: Figures): string {
  const figure = (row: RowName): string => formatNumber(figureOf(figures, row))
  const perSecond = formatNumber(5e5 / figureOf(figures, 'cpu-lmdb'))
  const onRedis = formatNumber(5e5 / figureOf(figures, 'cpu-redis'))
  const games = formatNumber(1024 ** 2 / figureOf(figures, 'redis-memory'))
  return table(
    ['what', 'measured', 'so plan with'],
    [
      [
        'a move, LMDB',
        `${figure('cpu-lmdb')} us of CPU`,
        `${perSecond} moves a second at half a core`,
      ],
      [
        'a move, Redis',
        `${figure('cpu-redis')} us of a node, ${figure('redis-cpu')} us of Redis`,
        `${onRedis} moves a second at half a core`,
      ],
      [
        'a move in a room spread over two nodes',
        `${figure('cpu-redis-2')} us of both`,
        'more nodes for more rooms, not for faster ones',
      ],
      ['an idle connection', `${figure('idle-rss')} KiB`, '10 KiB with what the kernel keeps'],
      [
        'a connection made',
        `${figure('accept')} us of CPU`,
        `10,000 at once keep a core busy for ${formatNumber(figureOf(figures, 'accept') / 100)} s`,
      ],
      [
        'a running room of four, move 300',
        `${figure('room-memory')} KiB`,
        'a quarter of it for each player',
      ],
      ['a room made over HTTP', `${figure('create-room')} us of CPU`, '-'],
      [
        'a game of 300 moves in Redis, with its players',
        `${figure('redis-memory')} KiB`,
        `${games} games a GiB`,
      ],
      ['a move event to a seat', `${figure('move-bytes')} bytes at most`, 'twice that on the wire'],
    ],
  )
}

function measureTable(figures: Figures): string {
  const rows: readonly RowName[] = [
    'cpu-redis',
    'cpu-redis-2',
    'redis-cpu',
    'accept',
    'idle-rss',
    'room-memory',
    'redis-memory',
    'move-bytes',
  ]
  const lines = rows.map((name) => {
    const row = figures.rows[name]
    figureOf(figures, name)
    return row === undefined ? [] : [`\`${name}\``, row.what, formatFigure(row)]
  })
  return table(['row', 'what', 'measured'], lines)
}

const PLAYERS = [1000, 10_000, 100_000, 1_000_000]

const growths = (figures: Figures): readonly Growth[] =>
  PLAYERS.map((players) => growthOf(players, measuresOf(figures)))

function growthTable(figures: Figures): string {
  const line = (what: string, of: (growth: Growth) => Cell): Cell[] => [
    what,
    ...growths(figures).map(of),
  ]
  const number = (value: number): string => formatNumber(value)
  return table(
    [
      'connected players, all of them playing',
      ...PLAYERS.map((count) => count.toLocaleString('en')),
    ],
    [
      line('moves a second', ({ movesPerSecond }) => number(movesPerSecond)),
      line('node CPU of a move, us', ({ nodes }) => number(moveOver(nodes, measuresOf(figures)))),
      line('nodes, a core each', ({ nodes }) => nodes),
      line('bound by', ({ boundBy }) => boundBy),
      line('memory of a node, GiB', ({ gibPerNode }) => number(gibPerNode)),
      line('Redis masters', ({ masters }) => masters),
      line('games a day', ({ gamesPerDay }) => number(gamesPerDay)),
      line('memory of Redis for running games and a day of finished ones, GiB', ({ redisGiB }) =>
        number(redisGiB),
      ),
      line('network to players, Mbit/s', ({ megabits }) => number(megabits)),
    ],
  )
}

function strainTable(figures: Figures): string {
  const line = (what: string, of: (growth: Growth) => number): Cell[] => [
    what,
    ...growths(figures).map((growth) => formatNumber(of(growth))),
  ]
  return table(
    ['each second', ...PLAYERS.map((count) => count.toLocaleString('en'))],
    [
      line('touched rooms that a node reads', ({ touchedPerNode }) => touchedPerNode),
      line('touched rooms that Redis hands out, all nodes', ({ touchedInAll }) => touchedInAll),
      line('words of who came and went that Redis passes on', ({ presence }) => presence),
    ],
  )
}

/** Those that have such tables. */
export const DOCUMENTS = ['docs/performance.md', 'docs/scale.md', 'docs/deploy.md'] as const

const MARK = /(<!-- figures: ([a-z-]+) -->\n)[\s\S]*?(\n?<!-- \/figures -->)/g

/** A document with its tables written anew. An unknown mark throws. */
export function fillTables(document: string, figures: Figures): string {
  return document.replace(MARK, (_, start: string, name: string) => {
    const make = TABLES[name]
    if (make === undefined) throw new Error(`there is no table ${name}`)
    return `${start}${make(figures)}\n<!-- /figures -->`
  })
}

import { countLine, countLines, countTypes, sumOf } from '../support/report-lines.ts'
import type { Table } from '../support/table.ts'
import { type Findings, linesOf, NOTHING, together, WRONGS } from './findings.ts'
import { HandOvers } from './hand-overs.ts'
import { Scene } from './scene.ts'
import { isInPlay, percentile, Silences } from './silences.ts'
import { type Node, Site, start } from './site.ts'
import { briskTables, lingeringTables } from './tables.ts'

export interface KillsSize {
  readonly kills: number
  readonly brisk: number
  readonly lingering: number
  readonly seed: number
}

export interface KillsReport {
  readonly killsOfNodes: number
  /** Of them, of nodes that were not ready yet. */
  readonly killsAtStart: number
  readonly killsOfRedis: number
  readonly acknowledged: ReadonlyMap<string, number>
  readonly refused: ReadonlyMap<string, number>
  readonly findings: Findings
  /** See HandOvers; in milliseconds. */
  readonly handOvers: readonly number[]
  readonly handOversDropped: number
  /** Of each brisk table in play at each kill of Redis: the longest in which nothing was accepted there, in milliseconds. */
  readonly redisGaps: readonly number[]
  readonly complaints: readonly string[]
}

const NODES = 3
/** What is killed, and how often of a hundred times. */
const OF_REDIS = 15
const OF_BOTH = 5
const AT_START = 10

/** Plays at many tables, kills nodes and Redis at any moment, and holds the store against the ledger after each kill. */
export async function killsRun(
  size: KillsSize,
  progress: (line: string) => void,
): Promise<KillsReport> {
  const site = await Site.start(NODES)
  try {
    const tables = [...briskTables(size.brisk), ...lingeringTables(size.lingering)]
    const scene = await Scene.open(site, tables, size.seed)
    try {
      const report = await new Kills(site, scene, size).run(progress)
      return { ...report, complaints: site.complaints() }
    } finally {
      scene.close()
    }
  } finally {
    await site.stop()
  }
}

class Kills {
  readonly #site: Site
  readonly #scene: Scene
  readonly #size: KillsSize
  /** Where nobody takes its time. */
  readonly #brisk: readonly Table[]
  readonly #handOvers: HandOvers
  readonly #redisGaps: number[] = []
  #findings: Findings = NOTHING
  #ofNodes = 0
  #atStart = 0
  #ofRedis = 0

  constructor(site: Site, scene: Scene, size: KillsSize) {
    this.#site = site
    this.#scene = scene
    this.#size = size
    this.#brisk = scene.crowd.tables.slice(0, size.brisk)
    this.#handOvers = new HandOvers(scene, this.#brisk)
  }

  get #kills(): number {
    return this.#ofNodes + this.#ofRedis
  }

  async run(progress: (line: string) => void): Promise<Omit<KillsReport, 'complaints'>> {
    const scene = this.#scene
    await scene.everyTableActs()
    while (this.#kills < this.#size.kills) {
      await scene.during(pass(300 * scene.random()))
      await scene.during(this.#killSomething(100 * scene.random()))
      this.#note(await scene.audit())
      if (this.#kills % 20 === 0) progress(`${this.#kills} kills`)
    }
    await scene.everyTableActs()
    this.#note(await scene.finish())
    return this.#report()
  }

  #note(findings: Findings): void {
    this.#findings = together([this.#findings, findings])
    const lines = linesOf(findings)
    // Players of whom something is lost need not come to an end.
    if (lines.length > 0) throw new Error(`after ${this.#kills} kills\n${lines.join('\n')}`)
  }

  async #killSomething(chance: number): Promise<void> {
    const { nodes, busiest } = this.#site
    const any = nodes[Math.floor(this.#scene.random() * nodes.length)] ?? busiest
    if (chance < OF_REDIS) await this.#killRedis()
    else if (chance < OF_REDIS + OF_BOTH) await this.#killBoth(any)
    else await this.#killNode(any)
  }

  /** Its players go on at the others before it is back. */
  async #killNode(node: Node): Promise<void> {
    this.#handOvers.begin(node, this.#site)
    await node.server.kill('SIGKILL')
    this.#ofNodes++
    await this.#handOvers.completed()
    while (this.#kills < this.#size.kills && 100 * this.#scene.random() < AT_START) {
      node.server.spawn()
      await pass(800 * this.#scene.random())
      await node.server.kill('SIGKILL')
      this.#ofNodes++
      this.#atStart++
    }
    await start(node)
  }

  async #killRedis(): Promise<void> {
    const { ledger } = this.#scene
    const silences = new Silences(this.#brisk.filter(isInPlay))
    const stop = ledger.onAcknowledged((acknowledged) => silences.heard(acknowledged))
    await this.#site.redis.kill()
    this.#ofRedis++
    await this.#site.redis.restart()
    await this.#scene.everyTableActs()
    stop()
    this.#redisGaps.push(...silences.longest())
  }

  async #killBoth({ server }: Node): Promise<void> {
    const { redis } = this.#site
    await Promise.all([redis.kill(), server.kill('SIGKILL')])
    this.#ofRedis++
    this.#ofNodes++
    await redis.restart()
    server.spawn()
    await server.ready()
    await this.#scene.everyTableActs()
  }

  #report(): Omit<KillsReport, 'complaints'> {
    const { acknowledged, refusals } = this.#scene.ledger
    return {
      killsOfNodes: this.#ofNodes,
      killsAtStart: this.#atStart,
      killsOfRedis: this.#ofRedis,
      acknowledged: countTypes(acknowledged),
      refused: refusals,
      findings: this.#findings,
      handOvers: this.#handOvers.samples,
      handOversDropped: this.#handOvers.dropped,
      redisGaps: this.#redisGaps,
    }
  }
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** All that must not be, a line each. */
export const wrongIn = ({ findings, complaints }: KillsReport): readonly string[] => [
  ...linesOf(findings),
  ...complaints.map((line) => `complaint: ${line}`),
]

export function formatKills(report: KillsReport): string {
  const { acknowledged, refused, findings, handOvers, redisGaps } = report
  const gaps = (name: string, samples: readonly number[]): readonly string[] => [
    countLine(`${name}, samples`, samples.length),
    countLine('  p50 ms', percentile(samples, 0.5)),
    countLine('  p99 ms', percentile(samples, 0.99)),
    countLine('  longest ms', percentile(samples, 1)),
  ]
  return [
    countLine('SIGKILLs', report.killsOfNodes + report.killsOfRedis),
    countLine('  of nodes', report.killsOfNodes),
    countLine('    while they started', report.killsAtStart),
    countLine('  of Redis', report.killsOfRedis),
    countLine('acknowledged', sumOf(acknowledged)),
    ...countLines(acknowledged),
    'refused',
    ...countLines(refused),
    ...WRONGS.map((wrong) => countLine(wrong, findings[wrong].length)),
    ...gaps("hand-over of a killed node's players", handOvers),
    countLine('  games that ended before', report.handOversDropped),
    ...gaps('longest silence at a kill of Redis', redisGaps),
  ].join('\n')
}

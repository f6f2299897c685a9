import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inPairs, ratiosOf } from './move-rows.ts'
import { peerGame } from './peer-game.ts'
import { PEERS, type Peer } from './peers.ts'
import { measured } from './report.ts'
import type { Group } from './scale.ts'
import { startPeer } from './server-process.ts'
import type { Subject } from './subject.ts'
import { makeRoom } from './table-room.ts'

const FOLDER = fileURLToPath(new URL('../peers/', import.meta.url))

/** Servers that others would pick, at the same games: none of them checks a rule, or keeps anything on a disk. */
export const peerGroup: Group = {
  rows: PEERS.map(({ row }) => row),
  async *measure(scale, wanted) {
    const peers = PEERS.filter(({ row }) => wanted.has(row))
    if (!install()) {
      for (const { row } of peers) yield { row, why: 'npm ci in bench/peers failed' }
      return
    }
    const subjects = new Map(peers.map((peer) => [peer.row, subjectOf(peer)]))
    const { yardsticks, runs } = await inPairs(scale, subjects)
    for (const [row, some] of runs) {
      const cpu = some.map((run) => run.cpu)
      yield measured(row, cpu, ratiosOf(some, yardsticks, 'cpu'), 'no rules, no store')
    }
  },
}

/** They have a lock file of their own, so that nothing that ships depends on them. */
const install = (): boolean =>
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  }).status === 0

const subjectOf = ({ script, open }: Peer): Subject => ({
  start: () => startPeer(script),
  open: async ({ ports: [port = 0] }, i, game) => {
    const { sockets, text } = await open(port, `room-${i}`, peerGame(game))
    return makeRoom(sockets, { script: game, text })
  },
})

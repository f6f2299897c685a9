import { execSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { IS_PINNED } from './server-process.ts'

/** Where and when something was measured. */
export interface Machine {
  readonly at: string
  readonly cores: number
  readonly cpu: string
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  /** Of the working tree. */
  readonly commit: string
  /** Processes that were running or waiting before it began: what is more than 0.3 or so disturbs. */
  readonly load: number
  readonly isPinned: boolean
}

export function thisMachine(): Machine {
  const cores = cpus()
  return {
    at: new Date().toISOString().slice(0, 16),
    cores: cores.length,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    commit: commit(),
    load: Number(loadavg()[0]?.toFixed(2)),
    isPinned: IS_PINNED,
  }
}

function commit(): string {
  try {
    return execSync('git describe --always --dirty', { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

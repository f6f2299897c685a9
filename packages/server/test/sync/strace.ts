import { spawnSync } from 'node:child_process'

/**
 * Whether there is a strace that may trace. CI must have one; elsewhere its tests are left out, and
 * that is said aloud.
 */
export function hasStrace(): boolean {
  const found = spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true']).status === 0
  if (!found && process.env.CI) throw new Error('CI needs a strace that works (apt install strace)')
  if (!found) console.warn('LEFT OUT: the tests under a system-call trace, for want of strace')
  return found
}

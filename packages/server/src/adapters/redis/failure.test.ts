import { expect, test } from 'vitest'
import { LogDamagedError, StoreUnavailableError } from '../../ports.ts'
import { failureOf, isTimeout } from './failure.ts'

test.each([
  'Connection is closed.',
  'Command timed out',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Too many Cluster redirections. Last error: MOVED 1 127.0.0.1:1',
  'Reached the max retries per request limit (which is 0).',
  "READONLY You can't write against a read only replica. script: ab, on @user_script:20.",
  'LOADING Redis is loading the dataset in memory',
  "OOM command not allowed when used memory > 'maxmemory'. script: ab, on @user_script:20.",
  'CLUSTERDOWN The cluster is down',
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'NOREPLICAS Not enough good replicas to write.',
  'MISCONF Errors writing to the AOF file: No space left on device',
  'BUSY Redis is busy running a script.',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'NOAUTH Authentication required.',
  'NOPERM this user has no permissions to run the command',
  'ERR max number of clients reached',
])('F-C2: after %j it is not known whether it happened', (message) => {
  const cause = new Error(message)
  const failure = failureOf(cause)
  expect(failure).toBeInstanceOf(StoreUnavailableError)
  expect(failure).toMatchObject({ cause })
  expect(isTimeout(failure)).toBe(message === 'Command timed out')
})

test('a key of another kind is a damaged log, and a script that stumbles a bug', () => {
  const wrongType = new Error('WRONGTYPE Operation against a key holding the wrong kind of value')
  expect(failureOf(wrongType)).toBeInstanceOf(LogDamagedError)
  const bug = new Error('ERR user_script:7: attempt to compare nil with number')
  expect(failureOf(bug)).toBe(bug)
  expect(isTimeout(bug)).toBe(false)
})

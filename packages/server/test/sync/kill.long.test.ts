import { test } from 'vitest'
import { killAgainAndAgain } from './kill-rounds.ts'

test('no entry that was answered is lost by SIGKILL, and every log is dense', () =>
  killAgainAndAgain(100))

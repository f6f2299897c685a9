import { afterEach, expect, test } from 'vitest'
import { CONVERSATIONS, replayConversation } from '../support/fuzz-conversation.ts'
import { BOT_KEY, fuzzServer, MESSAGE_TYPES, OPEN_HANDED } from '../support/fuzz-server.ts'
import { startRealApp, stopApps } from '../support/test-app.ts'

afterEach(stopApps)

test('F-U4, F-R1, F-H1: whatever anybody sends, in whatever phase, nothing breaks, each message is answered once, and each sees what the log tells it', async () => {
  await fuzzServer(3_000, 20_251_001)
})

test('F-R1, F-H1: conversations in which every type of message is accepted are accepted again', async () => {
  const server = await startRealApp(OPEN_HANDED)
  const accepted = new Set<string>(['hello'])
  for (const name of CONVERSATIONS) {
    for (const type of await replayConversation(name, server, BOT_KEY)) accepted.add(type)
  }
  expect([...accepted].sort()).toEqual([...MESSAGE_TYPES].sort())
})

import { parentPort } from 'node:worker_threads'
import { inlineThinker } from '@junqi/bots'
import type { Question, Thought } from './thread-thinker.ts'

// A thread that thinks: one question after the other, so that those who wait for none are not held up.
const thinker = inlineThinker(Math.random)

parentPort?.on('message', async (question: Question) => {
  const { level } = question
  const thought =
    question.type === 'formation'
      ? await thinker.formation(level, question.ruleSet, question.seat)
      : await thinker.act(level, question.sight)
  const answer: Thought = { id: question.id, thought }
  parentPort?.postMessage(answer)
})

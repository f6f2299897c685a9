import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'
import { describe, expect, test } from 'vitest'
import { summariseCpu, summariseHeap } from './profile-summary.ts'

const frame = (functionName: string, url = '', lineNumber = 0): Runtime.CallFrame => ({
  functionName,
  url,
  lineNumber,
  columnNumber: 0,
  scriptId: '0',
})

const CODEC = 'file:///somewhere/packages/protocol/dist/codec.js'
const ROOM = 'file:///somewhere/packages/server/dist/room/room-actor.js'
const ZOD = 'file:///somewhere/node_modules/zod/v4/core/parse.js'

/** The root calls a room, which calls the codec, which calls what is built in. */
const profile: Profiler.Profile = {
  startTime: 0,
  endTime: 100,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6, 7] },
    { id: 2, callFrame: frame('act', ROOM, 9), children: [3] },
    { id: 3, callFrame: frame('encode', CODEC, 19), children: [4] },
    { id: 4, callFrame: frame('stringify') },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('writeBuffer') },
    { id: 7, callFrame: frame('(garbage collector)') },
  ],
  samples: [2, 3, 4, 5, 6, 7],
  timeDeltas: [0, 10, 20, 30, 1000, 40, 0],
}

describe('a profile of time', () => {
  const { total, parts, functions } = summariseCpu(profile)

  test('counts no idle time', () => {
    expect(total).toBe(100)
  })

  test('what is built in counts to the part that called it, or to its own', () => {
    expect(parts).toEqual([
      { name: 'JSON of frames', amount: 50 },
      { name: 'sockets', amount: 40 },
      { name: 'rooms', amount: 10 },
    ])
  })

  test('names functions by their place, without the machine, the greatest first', () => {
    expect(functions.map(({ name }) => name)).toEqual([
      'writeBuffer',
      'stringify built in, for encode protocol/dist/codec.js:20',
      'encode protocol/dist/codec.js:20',
      'act server/dist/room/room-actor.js:10',
    ])
  })
})

test('a profile of memory adds up by part', () => {
  const node = (callFrame: Runtime.CallFrame, selfSize: number, id: number) => ({
    callFrame,
    selfSize,
    id,
    children: [] as HeapProfiler.SamplingHeapProfileNode[],
  })
  const head = node(frame('(root)'), 0, 1)
  head.children.push(node(frame('act', ROOM), 8, 2), node(frame('parse', ZOD), 16, 3))
  expect(summariseHeap({ head })).toMatchObject({
    total: 24,
    parts: [
      { name: 'schemas', amount: 16 },
      { name: 'rooms', amount: 8 },
    ],
  })
})

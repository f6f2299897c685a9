import { parseBotRoster } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { fileOf } from './compose-file.ts'

const key = z.object({ environment: z.strictObject({ JUNQI_BOT_KEY: z.string() }) })
const overlay = z.object({
  services: z.strictObject({
    'node-1': key,
    'node-2': key,
    bots: key.extend({ command: z.array(z.string()), build: z.literal('.') }),
  }),
})
const stack = z.object({ services: z.record(z.string(), z.unknown()) })

test('the bots of Compose have the key of every node, and go to the entry', () => {
  const { services } = overlay.parse(parse(fileOf('deploy/bots.compose.yml'), { merge: true }))
  const base = stack.parse(parse(fileOf('docker-compose.yml'), { merge: true }))
  const nodes = Object.keys(base.services).filter((name) => name.startsWith('node-'))
  expect(Object.keys(services).sort()).toEqual(['bots', ...nodes].sort())
  for (const { environment } of Object.values(services)) {
    expect(environment.JUNQI_BOT_KEY).toMatch(/^\$\{JUNQI_BOT_KEY:\?/)
  }
  const [node, junqi = '', command, , server, , levels = ''] = services.bots.command
  expect([node, command, server]).toEqual(['node', 'bots', 'http://entry:8080'])
  expect(fileOf(junqi)).toContain('main.js')
  expect(parseBotRoster(levels)).not.toBeNull()
})

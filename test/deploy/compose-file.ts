import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

/** A file of the checkout. */
export const fileOf = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

const duration = z.string().regex(/^\d+(ms|s|m|h)$/)
const words = z.array(z.string())

/** What we use of the Compose Specification, and nothing that we might have misspelt. */
const service = z.strictObject({
  image: z
    .string()
    .regex(/^[a-z][a-z0-9/._-]*(:[\w.-]+)?$/)
    .optional(),
  build: z.literal('.').optional(),
  init: z.boolean().optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']).optional(),
  stop_grace_period: duration.optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    )
    .prefault({}),
  environment: z.record(z.string(), z.string()).prefault({}),
  command: words.optional(),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.enum(['CMD', 'CMD-SHELL'])], z.string()),
      interval: duration,
      timeout: duration,
      retries: z.int().positive(),
      start_period: duration.optional(),
    })
    .optional(),
  ports: words.prefault([]),
  volumes: words.prefault([]),
  read_only: z.boolean().optional(),
  cap_drop: words.optional(),
  security_opt: words.optional(),
})

const compose = z
  .looseObject({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
  })
  .refine(
    (file) =>
      Object.keys(file).every((key) => ['services', 'volumes'].includes(key) || /^x-/.test(key)),
    'an unknown top-level key',
  )

export type ComposeFile = z.infer<typeof compose>
export type Service = z.infer<typeof service>

/** docker-compose.yml as Compose would understand it with these variables. Throws where it is malformed. */
export function readCompose(variables: Readonly<Record<string, string>> = {}): ComposeFile {
  const interpolated = (_: unknown, value: unknown): unknown =>
    typeof value === 'string' ? interpolate(value, variables) : value
  return compose.parse(parse(fileOf('docker-compose.yml'), interpolated, { merge: true }))
}

/** `${NAME:-default}`, the one form that we use. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, preset: string) => {
    const value = variables[name] ?? ''
    return value === '' ? preset : value
  })
}

/** The services that run our server, by name. */
export const nodesOf = ({ services }: ComposeFile): ReadonlyMap<string, Service> =>
  new Map(Object.entries(services).filter(([, { build }]) => build !== undefined))

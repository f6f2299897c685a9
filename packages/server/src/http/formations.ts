import {
  checkFormation,
  err,
  type Formation,
  mirrorFormation,
  ok,
  PRESETS,
  parseFormation,
  type Result,
  type RuleSet,
  randomFormation,
  readJql,
  writeJql,
} from '@junqi/engine'
import {
  FORMATIONS_LIMIT,
  formationName,
  formationRequest,
  type NamedFormation,
  type Player,
} from '@junqi/protocol'
import type { FastifyInstance } from 'fastify'
import type { FormationStore, Rng } from '../ports.ts'
import { sentenceOf } from '../room/decision.ts'
import type { Door } from './door.ts'
import { fileAnswer } from './file-answer.ts'
import { type Refusal, refusal } from './refusal.ts'
import { type Answer, type Asked, type Handler, parseBody, readForm, route } from './routes.ts'
import { requirePlayer } from './visitor-player.ts'

export interface FormationDeps {
  readonly door: Door
  readonly store: FormationStore
  readonly rng: Pick<Rng, 'random'>
}

/** The rules that allow most: whether a room's own allow a formation is judged when it is handed in there. */
const WIDEST: RuleSet = { ...PRESETS.siguo, bombFrontRow: true }

/** A player's own formations: nobody else is answered, whoever asks (R-DEPLOY-6). */
export function registerFormations(app: FastifyInstance, deps: FormationDeps): void {
  const { door, store } = deps

  const own =
    (answer: (player: Player, asked: Asked) => Promise<Result<Answer, Refusal>>): Handler =>
    async (asked) => {
      const player = await requirePlayer(door, asked)
      return player.ok ? answer(player.value, asked) : player
    }

  /** The same for the formation that the URL names. */
  const named = (
    answer: (found: Found, asked: Asked) => Promise<Result<Answer, Refusal>>,
  ): Handler =>
    own(async (player, asked) => {
      const name = nameIn(asked)
      return name.ok ? answer({ player, name: name.value }, asked) : name
    })

  const existing = (answer: (kept: NamedFormation) => Answer): Handler =>
    named(async ({ player, name }) => {
      const formation = (await store.keptFormations(player.id)).named.get(name)
      return formation === undefined ? err(NO_SUCH) : ok(answer({ name, formation }))
    })

  async function keep(
    { player, name }: Found,
    formation: Result<Formation, Refusal>,
  ): Promise<Result<Answer, Refusal>> {
    if (!formation.ok) return formation
    const kept = { name, formation: formation.value }
    const isKept = await store.keepFormation(player.id, kept, FORMATIONS_LIMIT)
    return isKept ? ok({ status: 200, body: kept }) : err(refusal('too_many_formations'))
  }

  route(app, door, {
    url: '/v1/formations',
    on: {
      GET: own(async (player) => {
        const kept = await store.keptFormations(player.id)
        const formations = [...kept.named].map(([name, formation]) => ({ name, formation }))
        formations.sort((one, other) => (one.name < other.name ? -1 : 1))
        return ok({ status: 200, body: { formations, last: Object.fromEntries(kept.last) } })
      }),
    },
  })
  route(app, door, {
    url: '/v1/formations/:name',
    on: {
      GET: existing((kept) => ({ status: 200, body: kept })),
      PUT: named(async (found, { body }) => keep(found, formationIn(body))),
      DELETE: named(async ({ player, name }) => {
        const wasThere = await store.dropFormation(player.id, name)
        return wasThere ? ok({ status: 204, body: null }) : err(NO_SUCH)
      }),
    },
  })
  route(app, door, {
    url: '/v1/formations/:name/jql',
    on: {
      GET: existing(({ name, formation }) => fileAnswer(`${name}.jql`, writeJql(formation))),
      PUT: named(async (found, { body }) => keep(found, formationInFile(body))),
    },
  })
  route(app, door, {
    url: '/v1/formations/:name/mirror',
    on: {
      GET: existing(({ formation }) => ({
        status: 200,
        body: { formation: mirrorFormation(formation) },
      })),
    },
  })
  route(app, door, {
    url: '/v1/random-formation',
    on: {
      GET: async ({ query }) => {
        const ruleSet = { ...PRESETS.siguo, bombFrontRow: query.bombFrontRow === 'true' }
        const formation = randomFormation(ruleSet, () => deps.rng.random())
        return ok({ status: 200, body: { formation } })
      },
    },
  })
}

interface Found {
  readonly player: Player
  readonly name: string
}

const NO_SUCH = refusal('not_found', 'You keep no formation of this name.')

const nameIn = ({ params }: Asked): Result<string, Refusal> =>
  readForm(formationName, 'name', params.name)

function formationIn(body: unknown): Result<Formation, Refusal> {
  const asked = parseBody(formationRequest, body)
  if (!asked.ok) return asked
  const parsed = parseFormation(asked.value.formation)
  return parsed.ok ? checked(parsed.value) : badFormation(parsed.error)
}

function formationInFile(body: unknown): Result<Formation, Refusal> {
  if (!(body instanceof Uint8Array)) return err(NO_FILE)
  const read = readJql(body)
  return read.ok ? checked(read.value) : badFormation(read.error.message)
}

function checked(formation: Formation): Result<Formation, Refusal> {
  const problem = checkFormation(WIDEST, formation)
  return problem === null ? ok(formation) : badFormation(problem)
}

const badFormation = (problem: string): Result<never, Refusal> =>
  err(refusal('bad_formation', sentenceOf(problem)))

const NO_FILE = refusal(
  'bad_message',
  'The body is the bytes of a .jql file, sent as content-type: application/octet-stream.',
)

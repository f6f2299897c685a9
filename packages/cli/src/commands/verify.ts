import { type Checked, type Finding, type Flaw, verifyGame } from '@junqi/client'
import { assertNever, type GameRecord, type PerSealed } from '@junqi/engine'
import { commitments, sealView } from '@junqi/protocol'
import { type Command, parseArguments, type Streams } from '../command.ts'
import { inputFailure, usageFailure } from '../failure.ts'
import { formatResult } from '../format-result.ts'
import { parseJson, readInput, readRecord } from '../input.ts'
import { writeLine } from '../output.ts'
import { plainLine } from '../plain-text.ts'

/** Says of a record whether it is the game that was played (R-SEAL-3). */
export const verifyCommand: Command = {
  name: 'verify',
  parameters: 'RECORD [--seal COMMITMENTS]',
  summary:
    'check that a record is the game that was sealed at its start, by what was told then (JSON, or a file of it)',
  async run(args, streams) {
    const { values, operands } = parseArguments(verifyCommand, args, {
      options: { seal: 'value' },
      operands: ['RECORD'],
    })
    const [path = ''] = operands
    const [given, ...more] = values.get('seal') ?? []
    if (more.length > 0) throw usageFailure('--seal is given twice; a game has one seal')
    const record = await readRecord(path, streams)
    const told = given === undefined ? null : await readCommitments(given, streams)
    const { holds, findings } = verifyGame(record, told)
    for (const finding of findings) await writeLine(streams.stdout, lineOf(finding, record))
    if (!holds) throw inputFailure(`${path}: this is not shown to be the game that was played`)
    await writeLine(streams.stdout, told === null ? SEALED : TOLD)
    return 0
  },
}

const SEALED =
  'The record agrees with its own seal. With --seal and what you were told at the start it is checked against that, too.'
const TOLD = 'This is the game that was sealed at its start, as you were told then.'

/** The commitments in a file, in stdin for `-`, or in the argument itself. */
async function readCommitments(given: string, streams: Streams): Promise<PerSealed> {
  const isText = given.trimStart().startsWith('{')
  const bytes = isText ? new TextEncoder().encode(given) : await readInput(given, streams)
  const problem = `${isText ? '--seal' : given}: ${NO_COMMITMENTS}`
  const json = parseJson(bytes, problem)
  const seal = sealView.safeParse(json)
  if (seal.success) return seal.data.commitments
  const alone = commitments.safeParse(json)
  if (alone.success) return alone.data
  throw inputFailure(problem)
}

const NO_COMMITMENTS =
  'no commitments; give what was told at the start, such as {"south":"<64 digits of hex>",...}'

function lineOf({ checked, flaw }: Finding, record: GameRecord): string {
  return `${checked}: ${flaw === null ? praiseOf(checked, record) : blameOf(flaw, record)}`
}

function praiseOf(checked: Checked, { actions, result }: GameRecord): string {
  switch (checked) {
    case 'actions':
      return `all ${actions.length} are legal`
    case 'result':
      return `${formatResult(result)}, as the actions lead to`
    case 'first':
      return 'the seat that began is the one that was sealed'
    case 'layout':
      return 'the layout is the one that was sealed'
    default:
      return 'the formation is the one that was sealed'
  }
}

function blameOf(flaw: Flaw, { result }: GameRecord): string {
  switch (flaw.code) {
    case 'illegalAction':
      return `action ${flaw.n} is illegal: ${plainLine(flaw.action)}`
    case 'otherResult':
      return `${formatResult(result)}, but the actions lead to ${formatResult(flaw.result)}`
    case 'notSealed':
      return 'the record has none: nothing shows what was played'
    case 'otherThanSealed':
      return 'NOT what was sealed: the commitment is to something else'
    case 'otherThanTold':
      return 'NOT what was told at the start: the commitment is another one'
    default:
      return assertNever(flaw)
  }
}

import { decodeClientMessage, type ErrorCode } from '@junqi/protocol'
import type { ToldFrame } from './line.ts'

/** What a client said that is a message. */
type Said = Extract<ReturnType<typeof decodeClientMessage>, { readonly ok: true }>['value']

interface Command {
  readonly text: string
  /** An answer came to it after which it is not sent again. */
  isAnswered: boolean
}

/** Sees what a client does wrong in every game, whatever is checked besides. */
export class Witness {
  readonly #allowed: readonly ErrorCode[]
  readonly #commands = new Map<string, Command>()
  /** The ids of its moves, by the turns that they were made for. */
  readonly #moves = new Map<number, string>()
  #isGreeted = false

  /** `allowed`: refusals that a client may meet here through no fault of its own. */
  constructor(allowed: readonly ErrorCode[]) {
    this.#allowed = allowed
  }

  /** Another connection is open. */
  connected(): void {
    this.#isGreeted = false
  }

  /** The message that a frame is, or what is wrong about it. */
  hear(
    frame: string,
    isBinary: boolean,
  ): { readonly said: Said | null; readonly blame: string | null } {
    if (isBinary) return { said: null, blame: 'It sent a binary frame; messages are text.' }
    const decoded = decodeClientMessage(frame)
    if (!decoded.ok) {
      const blame = `It sent what is no message: ${frame.slice(0, 200)} (${decoded.error.message})`
      return { said: null, blame }
    }
    return { said: decoded.value, blame: this.#blameFor(decoded.value, frame) }
  }

  /** What is wrong about having brought this answer about; null: nothing. */
  told({ type, re, code, message, retryable }: ToldFrame): string | null {
    const command = typeof re === 'string' ? this.#commands.get(re) : undefined
    if (command !== undefined) command.isAnswered = retryable !== true
    const isAllowed = retryable === true || this.#allowed.some((allowed) => allowed === code)
    if (type !== 'error' || isAllowed) return null
    return `It was refused with ${code} (${message}) for ${command?.text ?? 'a frame without an id'}`
  }

  #blameFor(said: Said, text: string): string | null {
    const isFirst = !this.#isGreeted
    this.#isGreeted = true
    if (isFirst && said.type !== 'hello')
      return `Its first message on a connection was ${said.type}; that is hello.`
    const twice = this.#secondMove(said)
    if (twice !== null) return twice
    const known = this.#commands.get(said.id)
    this.#commands.set(said.id, { text, isAnswered: false })
    // Greetings and questions change nothing, so that nobody minds which is which.
    if (known === undefined || said.type === 'hello' || said.type === 'ping') return null
    if (known.text !== text && !isSame(known.text, text))
      return `It used the id ${said.id} for two things: ${known.text} and ${text}`
    return known.isAnswered ? `It sent again what had been answered: ${text}` : null
  }

  /** Whatever happened to the first one, at most one of two would be carried out. */
  #secondMove(said: Said): string | null {
    if (said.type !== 'move') return null
    const first = this.#moves.get(said.turn) ?? said.id
    this.#moves.set(said.turn, first)
    return first === said.id
      ? null
      : `It made two moves for turn ${said.turn}, under the ids ${first} and ${said.id}; what is sent again keeps its id.`
  }
}

/** Whether two frames say the same, in whatever order. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    JSON.stringify(Object.entries(JSON.parse(text)).sort(([x], [y]) => (x < y ? -1 : 1))),
  )
  return a === b
}

import type { ErrorCode, ServerMessage } from '@junqi/protocol'

/** Why something asked for did not happen. */
export interface Refusal {
  /** The server's code; `closed`: this client is closed for good and asks for nothing more. */
  readonly code: ErrorCode | 'closed'
  /** For a person: what was wrong and what would be right. */
  readonly message: string
  /** The room's version and completed turns when it was refused, where the server tells them. */
  readonly version: number | null
  readonly turn: number | null
}

export const refusal = (code: Refusal['code'], message: string): Refusal => ({
  code,
  message,
  version: null,
  turn: null,
})

/** Of the server's words what concerns the asker. */
export const refusalOf = ({
  code,
  message,
  version,
  turn,
}: Extract<ServerMessage, { readonly type: 'error' }>): Refusal => ({
  code,
  message,
  version,
  turn,
})

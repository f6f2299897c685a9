/** What one question about the time taught. */
interface Sample {
  readonly offset: number
  readonly roundTrip: number
}

/** The offset of the server's clock to the client's; of all answers on a connection the quickest counts. */
export type ClockOffset = Sample | null

export function withAnswer(
  known: ClockOffset,
  answer: { readonly sentAt: number; readonly receivedAt: number; readonly serverTime: number },
): Sample {
  const roundTrip = answer.receivedAt - answer.sentAt
  if (known !== null && known.roundTrip <= roundTrip) return known
  return { roundTrip, offset: answer.serverTime + roundTrip / 2 - answer.receivedAt }
}

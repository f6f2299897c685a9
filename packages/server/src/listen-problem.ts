/** Why an address cannot be listened at, and what to do; each completes a sentence about the address. */
export interface ListenProblem {
  readonly problem: string
  readonly mend: string
}

const NO_ADDRESS: ListenProblem = {
  problem: 'cannot be found',
  mend: 'set an address of this machine',
}

const PROBLEMS: Readonly<Record<string, ListenProblem>> = {
  EADDRINUSE: {
    problem: 'is in use',
    mend: 'stop the program that listens there, or set another port (0 takes a free one)',
  },
  EACCES: { problem: 'may not be used by this user', mend: 'set a port above 1023' },
  EADDRNOTAVAIL: { problem: 'is not on this machine', mend: 'set an address that it has' },
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
}

/** null: the error is another one. */
export function listenProblem(error: unknown): ListenProblem | null {
  if (!(error instanceof Error && 'code' in error)) return null
  return PROBLEMS[String(error.code)] ?? null
}

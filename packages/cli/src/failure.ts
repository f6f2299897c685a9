import { plainLine } from './plain-text.ts'

/** What ends a command early: one clear sentence for stderr, and the exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line asks for something that there is not. */
export const usageFailure = (message: string): CommandFailure => new CommandFailure(message, 2)

/** The command line is right, what it names is not. */
export const inputFailure = (message: string): CommandFailure =>
  new CommandFailure(plainLine(message), 1)

import { BOARD_NAMES, BOARDS, boardOf, drawBoard, PRESETS } from '@junqi/engine'
import { type Command, parseArguments } from '../command.ts'
import { usageFailure } from '../failure.ts'
import { writeLine } from '../output.ts'

/** Prints a board: its spaces, roads, railroads and lines, or a picture of it. */
export const boardCommand: Command = {
  name: 'board',
  parameters: `${BOARD_NAMES.join('|')} [--ascii]`,
  summary: 'print a board as JSON; with --ascii, draw it',
  async run(args, { stdout }) {
    const { flags, operands } = parseArguments(boardCommand, args, {
      options: { ascii: 'flag' },
      operands: ['BOARD'],
    })
    const [board] = operands
    const name = BOARD_NAMES.find((known) => known === board)
    if (name === undefined) {
      throw usageFailure(`there is no board ${board}, only ${BOARD_NAMES.join(' and ')}`)
    }
    const isDrawn = flags.has('ascii')
    await writeLine(
      stdout,
      isDrawn ? drawBoard(boardOf(PRESETS[name])) : JSON.stringify(BOARDS[name]),
    )
    return 0
  },
}

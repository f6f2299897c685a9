import { type Command, parseArguments } from '../command.ts'
import { inputFailure } from '../failure.ts'
import { writeLine } from '../output.ts'

/** Makes the list of finished games anew from the games themselves. */
export const reindexCommand: Command = {
  name: 'reindex',
  parameters: '',
  summary: "make the archive's index anew from the logs in the store that the settings name",
  async run(args, { stdout }) {
    parseArguments(reindexCommand, args, { options: {}, operands: [] })
    // Loaded here alone: no other command needs the server and its store.
    const { reindexArchive, StartError } = await import('@junqi/server')
    try {
      const { games, added, dropped } = await reindexArchive(process.env)
      await writeLine(stdout, `games: ${games}, added: ${added}, dropped: ${dropped}`)
      return 0
    } catch (error) {
      throw error instanceof StartError ? inputFailure(error.message) : error
    }
  },
}

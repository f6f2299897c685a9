import { type Command, parseArguments } from '../command.ts'

/** Serves, with bots beside it, by the settings of the environment until a signal ends the process: the same as `npm start`. */
export const serveCommand: Command = {
  name: 'serve',
  parameters: '',
  summary: 'run the server; its settings are environment variables, see .env.example',
  async run(args) {
    parseArguments(serveCommand, args, { options: {}, operands: [] })
    // Loaded here alone: no other command needs the server and its store.
    const { runServer } = await import('@junqi/server')
    const { runBotsBeside } = await import('../bots/bots-beside.ts')
    await runServer(process.env, runBotsBeside)
    return 0
  },
}

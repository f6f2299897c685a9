import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BOT_LEVELS } from '@junqi/protocol'
import type { RunningServer } from '@junqi/server'

const JUNQI = fileURLToPath(new URL('../../bin/junqi.js', import.meta.url))
/** How long until bots that crashed are started again. */
const AGAIN_MS = 1_000
/** How long they may take to stop. */
const STOP_MS = 2_000

/** Runs the bots of the settings in a process of their own, which thinks beside the server and ends with it. */
export function runBotsBeside(server: RunningServer): () => Promise<void> {
  const { bots, botPauseMs } = server.config
  const levels = BOT_LEVELS.flatMap((level) => (bots[level] ? [`${level}:${bots[level]}`] : []))
  if (levels.length === 0) return async () => {}
  const options = ['--server', server.url, '--levels', levels.join(), '--pause', `${botPauseMs}`]
  let child: ChildProcess
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  const start = (): void => {
    // Its input ends when this process does, even if it is killed: then the bots end as well.
    child = spawn(process.execPath, [JUNQI, 'bots', ...options, '--until-end-of-input'], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...process.env, JUNQI_BOT_KEY: server.botKey },
    })
    child.stdin?.on('error', () => {})
    child.on('error', (error) => server.logger.error({ reason: error.message }, 'bots'))
    child.once('close', (code, signal) => {
      if (isStopping) return
      server.logger.error({ code, signal }, 'the bots ended; they are started again')
      timer = setTimeout(start, AGAIN_MS)
    })
  }
  start()

  return async () => {
    isStopping = true
    clearTimeout(timer)
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await closed
    clearTimeout(killer)
  }
}

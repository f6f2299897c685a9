import { once } from 'node:events'
import { readdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { StoreOpenError } from '../store-open-error.ts'

/** The shortest that any system allows the path of a socket to be, its end mark left out. */
const LONGEST_SOCKET_PATH = 103
const ATTEMPTS = 8
const PAUSE = 120

/**
 * One process at a time in a folder. Node offers no file lock, so each process listens on a socket
 * of its own in the folder (`lock-PID-RANDOM`): the system closes it when the process dies in any
 * way, and a socket that nobody listens on may be taken away by anyone, since its name never comes
 * back. Each shows its own socket before it looks for others, so of two at least one sees the other
 * and gives way; it tries again for about a second, in case both did, or the other is going.
 */
export class FolderLock {
  readonly #server: Server
  readonly #path: string

  private constructor(server: Server, path: string) {
    this.#server = server
    this.#path = path
  }

  static async take(folder: string): Promise<FolderLock> {
    for (let attempt = 1; ; attempt++) {
      const lock = await FolderLock.#show(folder)
      const holder = await FolderLock.holder(folder, lock.#path)
      if (holder === null) return lock
      await lock.release()
      if (attempt === ATTEMPTS) {
        throw new StoreOpenError(
          `The data folder ${folder} is in use by another server (process ${holder}); stop it first, or name another folder in JUNQI_DATA_DIR.`,
        )
      }
      await setTimeout(PAUSE * (0.5 + Math.random()))
    }
  }

  /** A socket is listening before it gets its name: one that refuses belongs to a dead process. */
  static async #show(folder: string): Promise<FolderLock> {
    const name = `${process.pid}-${Math.floor(Math.random() * 36 ** 6).toString(36)}`
    const hidden = socketPath(folder, `new-${name}`)
    const path = socketPath(folder, `lock-${name}`)
    const server = createServer((caller) => caller.destroy())
    server.listen(hidden)
    await once(server, 'listening')
    server.unref()
    await rename(hidden, path)
    return new FolderLock(server, path)
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true })
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The process id of whoever has the folder, but for `own`; null: nobody. The sockets of dead processes are taken away. */
  static async holder(folder: string, own: string | null = null): Promise<string | null> {
    for (const name of await readdir(folder)) {
      const [kind, pid = ''] = name.split('-')
      const path = socketPath(folder, name)
      if (kind !== 'lock' || path === own) continue
      if (await isListening(path)) return pid
      await rm(path, { force: true })
    }
    return null
  }
}

async function isListening(path: string): Promise<boolean> {
  const caller = connect(path)
  try {
    await once(caller, 'connect')
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    return code !== 'ECONNREFUSED' && code !== 'ENOENT'
  } finally {
    caller.destroy()
  }
}

function socketPath(folder: string, name: string): string {
  const absolute = join(folder, name)
  const fromHere = relative(process.cwd(), absolute)
  const path = fromHere.length < absolute.length ? fromHere : absolute
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    throw new StoreOpenError(
      `The data folder ${folder} has too long a path for a socket in it; name a shorter one in JUNQI_DATA_DIR.`,
    )
  }
  return path
}

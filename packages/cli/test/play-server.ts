import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@junqi/server'

export interface PlayServer {
  readonly url: string
  stop(): Promise<void>
}

type Settings = Readonly<Record<`JUNQI_${string}`, string>>

/** A real server with its default store and, unless told otherwise, limits, in this process. */
export async function startPlayServer(settings: Settings = {}): Promise<PlayServer> {
  const folder = await mkdtemp(join(tmpdir(), 'junqi-play-'))
  const { url, stop } = await startServer({
    JUNQI_PORT: '0',
    JUNQI_DATA_DIR: folder,
    JUNQI_LOG_LEVEL: 'silent',
    ...settings,
  })
  return {
    url,
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

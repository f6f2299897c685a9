import { inParallel } from './pace.ts'
import type { Script } from './scripts.ts'
import type { ServerProcess } from './server-process.ts'
import { openBareRoom, type TableRoom } from './table-room.ts'

/** Rooms that are opened at the same time. */
const OPENED_AT_ONCE = 50

/** What is measured: how it is started, and how a room of it is brought into play. */
export interface Subject {
  start(): Promise<ServerProcess>
  open(server: ServerProcess, i: number, script: Script): Promise<TableRoom>
}

export const openBare: Subject['open'] = ({ ports: [port = 0] }, i, script) =>
  openBareRoom(port, `r${i}`, script)

export const openRooms = <Room extends TableRoom>(
  server: ServerProcess,
  open: (server: ServerProcess, i: number, script: Script) => Promise<Room>,
  scripts: readonly Script[],
): Promise<readonly Room[]> =>
  inParallel(OPENED_AT_ONCE, scripts, (script, i) => open(server, i, script))

/** Starts a server for the time of a measurement. */
export async function withServer<Result>(
  start: () => Promise<ServerProcess>,
  measure: (server: ServerProcess) => Promise<Result>,
): Promise<Result> {
  const server = await start()
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

/** Server CPU of each of so many, in microseconds, while they are done. */
export async function cpuEach(
  server: ServerProcess,
  count: number,
  run: () => Promise<unknown>,
): Promise<number> {
  const before = server.cpu()
  await run()
  return (server.cpu() - before) / count
}

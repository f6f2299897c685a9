// A store behind a socket, run in a process of its own (from dist) by the tests beside it.
// JUNQI_TEST_FOLDER: its data folder. JUNQI_TEST_UNSYNCED: plants a store that does not sync.
// Asked `ROOM VERSION ID`, it appends to that version of the room; its answer is `ID TYPE VERSION`.
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { openLmdbStore } from '../../dist/adapters/lmdb/open-lmdb-store.js'
import { systemRng } from '../../dist/adapters/system-rng.js'

const { JUNQI_TEST_FOLDER: folder, JUNQI_TEST_UNSYNCED: unsynced } = process.env
const lmdb = unsynced ? { noSync: true } : {}
const store = await openLmdbStore({ folder, rng: systemRng, lmdb }).catch((error) => {
  process.stderr.write(`${error.name}: ${error.message}\n`)
  process.exit(1)
})

async function answer(line) {
  const [room, version, id] = line.split(' ')
  try {
    const result = await store.append({
      room,
      expectedVersion: Number(version),
      data: `{"id":"${id}"}`,
      command: { player: 'p00000000000', id },
      deadline: 1_000_000,
      lobby: null,
      ended: null,
    })
    return `${id} ${result.type} ${result.version}`
  } catch (error) {
    return `${id} ${error.name} 0`
  }
}

const server = createServer((socket) => {
  socket.on('error', () => {})
  createInterface({ input: socket }).on('line', async (line) => {
    socket.write(`${await answer(line)}\n`)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

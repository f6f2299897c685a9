// A client by the SDK: sits down at JUNQI_ROOM, plays, and ends with the game.
import { connect, createGuest } from '@junqi/client'
import { WebSocket } from 'ws'

const { JUNQI_SERVER: url, JUNQI_ROOM: id, JUNQI_SEAT: seat } = process.env
const good = (result) => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}

const { token } = good(await createGuest(url, 'SDK'))
const client = connect({ url, token, clientName: 'sdk-client/1', WebSocket })
const room = client.room(id)
good(await room.opened())
good(await room.sit(seat))
good(await room.ready())

let handedIn = false
let turn = null
for await (const { type, reason } of room.updates()) {
  if (type === 'lost') throw new Error(reason.message)
  // As it is now: more may have come than this update tells.
  const { phase, game, legalMoves } = room.view
  if (phase === 'finished') break
  if (phase === 'deployment' && !handedIn) {
    handedIn = true
    const { formation } = await (await fetch(`${url}/v1/random-formation`)).json()
    good(await room.submitFormation(formation))
  }
  if (phase === 'playing' && game.toMove === seat && game.turn !== turn) {
    turn = game.turn
    const [[from, [to]]] = Object.entries(legalMoves)
    const moved = await room.move(from, to)
    const isOver =
      !moved.ok && ['stale_turn', 'too_late', 'not_your_turn'].includes(moved.error.code)
    if (!isOver) good(moved)
  }
}
client.close()

import { deployAll, KIND_WORDS, type KnownPiece } from './homes.ts'
import { isObject, type Json, type JsonObject, objectAt, objectsAt, stringAt } from './json.ts'
import { allyOf, type Formations, isSeat, type Seat, type Viewer } from './record.ts'
import { problemsOfCommitments } from './seal.ts'
import { FIELDS, HARMLESS_WORDS } from './vocabulary.ts'

const SPACE = /^[a-q](?:[1-9]|1[0-7])$/
const FORMATION = /[1-9BLF]{25}/
const SYMBOL = /^[1-9BLF]$/
const KIND = new RegExp(KIND_WORDS.join('|'), 'i')

/**
 * Reads every frame of one viewer's socket in the order in which they come, follows the public events
 * from the formations that were handed in, and says what a frame tells that the viewer may not know.
 */
export class Witness {
  readonly #viewer: Viewer
  readonly #formations: Formations
  #pieces = new Map<string, KnownPiece>()
  /** Ids of pieces whose kinds were shown to everyone. */
  readonly #shown = new Set<string>()
  readonly #out = new Map<Seat, string>()
  #started = false
  #over = false

  constructor(viewer: Viewer, formations: Formations) {
    this.#viewer = viewer
    this.#formations = formations
  }

  /** Whether the game has ended, so that nothing is hidden any more (R-END-6). */
  get over(): boolean {
    return this.#over
  }

  /** Seats that are still in the game. */
  isIn(seat: Seat): boolean {
    return !this.#out.has(seat)
  }

  /** What the message tells that the viewer may not know; nothing, for a server that keeps its secrets. */
  leaks(message: JsonObject): readonly string[] {
    if (this.#over) return []
    if (message.type !== 'event') return this.#scan(message, '')
    const { events: _, ...envelope } = message
    const leaks = [...this.#scan(envelope, '')]
    for (const event of objectsAt(message, 'events')) {
      this.#follow(event)
      if (this.#over) break
      leaks.push(...this.#scan(event, 'events'))
    }
    return leaks
  }

  #follow(event: JsonObject): void {
    switch (event.type) {
      case 'gameStarted':
        this.#pieces = deployAll(this.#formations)
        this.#started = true
        break
      case 'pieceMoved':
        this.#attack(stringAt(event, 'from'), stringAt(event, 'to'), 'attackerWins')
        break
      case 'pieceAttacked':
        this.#attack(stringAt(event, 'from'), stringAt(event, 'to'), stringAt(event, 'outcome'))
        break
      case 'flagRevealed':
        this.#reveal(stringAt(event, 'space'))
        break
      case 'seatEliminated':
        this.#eliminate(stringAt(event, 'seat'), stringAt(event, 'reason'))
        break
      case 'gameEnded':
        this.#over = true
        break
    }
  }

  #attack(from: string, to: string, outcome: string): void {
    const attacker = this.#pieces.get(from)
    if (attacker === undefined) throw new Error(`nothing stands on ${from}`)
    if (outcome === 'repelled') return
    this.#pieces.delete(from)
    if (outcome !== 'defenderWins') this.#pieces.delete(to)
    if (outcome === 'attackerWins') this.#pieces.set(to, attacker)
  }

  #reveal(space: string): void {
    const piece = this.#pieces.get(space)
    if (piece?.kind !== 'flag') throw new Error(`the flag revealed on ${space} is none`)
    this.#shown.add(piece.id)
  }

  #eliminate(seat: string, reason: string): void {
    if (!isSeat(seat)) throw new Error(`no seat: ${seat}`)
    this.#out.set(seat, reason)
    this.#pieces = new Map([...this.#pieces].filter(([, piece]) => piece.seat !== seat))
  }

  #mayKnow(piece: KnownPiece): boolean {
    return this.#shown.has(piece.id) || this.#sees(piece.seat)
  }

  /** R-SEE-1 under `allDark`; R-OUT-6 with `eliminatedView: ally`, as in QQ's games. */
  #sees(seat: Seat): boolean {
    if (this.#viewer === 'spectator' || this.#out.get(this.#viewer) === 'left') return false
    return seat === this.#viewer || (this.#out.has(this.#viewer) && seat === allyOf(this.#viewer))
  }

  #scan(json: Json, key: string): readonly string[] {
    if (typeof json === 'string') return this.#scanText(json, key)
    if (Array.isArray(json)) return json.flatMap((item) => this.#scan(item, key))
    if (!isObject(json)) return []
    if ('kind' in json) return this.#scanPiece(json)
    if (key === 'commitments') return problemsOfCommitments(json)
    if (key === 'salts') return ['the salts of the seal']
    if (key === 'formations') return this.#scanFormations(json)
    if (key === 'legalMoves') return this.#scanLegalMoves(json)
    return Object.entries(json).flatMap(([field, value]) => [
      ...(FIELDS.has(field) ? [] : [`there is no field ${field}`]),
      ...this.#scan(value, field),
    ])
  }

  #scanText(text: string, key: string): readonly string[] {
    if ((key === 'draft' || key === 'formation') && this.#isOwnFormation(text)) return []
    if (SYMBOL.test(text)) return [`${key} is the symbol of a piece: ${text}`]
    if (FORMATION.test(text.replaceAll('/', ''))) return [`${key} holds a formation: ${text}`]
    if (KIND.test(text) && !HARMLESS_WORDS.has(text)) return [`${key} holds a kind: ${text}`]
    return []
  }

  #isOwnFormation(text: string): boolean {
    return this.#viewer !== 'spectator' && text === this.#formations[this.#viewer]
  }

  /** A piece on the board, as `gameStarted`, `piecesShown` and snapshots tell it. */
  #scanPiece(json: JsonObject): readonly string[] {
    const { id, space, kind, ...more } = json
    const piece = this.#pieces.get(String(space))
    const place = `on ${space}`
    if (piece === undefined) return [`nothing stands ${place}`]
    const faults = this.#scan(more, '').map((fault) => `${fault} (${place})`)
    if (id !== undefined && id !== piece.id) faults.push(`the id ${place} is ${id}`)
    if (this.#mayKnow(piece) ? kind === piece.kind : kind === 'hidden') return faults
    return [...faults, `the kind ${place} is ${kind}`]
  }

  #scanFormations(json: JsonObject): readonly string[] {
    return Object.entries(json).flatMap(([seat, formation]) => {
      const isOwn =
        isSeat(seat) &&
        seat === this.#viewer &&
        this.#sees(seat) &&
        this.#isOwnFormation(`${formation}`)
      return formation === null || isOwn ? [] : [`the formation of ${seat} is ${formation}`]
    })
  }

  #scanLegalMoves(json: JsonObject): readonly string[] {
    const froms = Object.keys(json)
    const others = froms.filter((space) => this.#pieces.get(space)?.seat !== this.#viewer)
    const targets = Object.values(json).flat()
    const strange = targets.filter((to) => typeof to !== 'string' || !SPACE.test(to))
    return [
      ...others.map((space) => `a legal move of the piece on ${space}`),
      ...strange.map((to) => `a legal move to ${JSON.stringify(to)}`),
    ]
  }

  /** Every piece is on the board where the events put it: no view of the game leaves one out or makes one up. */
  missing(game: JsonObject): readonly string[] {
    if (!this.#started) return []
    const told = new Set(objectsAt(game, 'pieces').map((piece) => piece.space))
    return [...this.#pieces.keys()].filter((space) => !told.has(space))
  }
}

/** The game in a snapshot's or an HTTP answer's view of a room; null: none yet. */
export const gameIn = (view: JsonObject): JsonObject | null =>
  view.game === null ? null : objectAt(view, 'game')

import type { Hints, RoomId, ToldEntry } from '../../src/ports.ts'

/** A hint's kind and what it says. */
export type HeardHint = readonly [keyof Hints, ...unknown[]]

/** The hints that came, and a way to wait for one. */
export class Heard implements Hints {
  readonly all: HeardHint[] = []
  /** The entries that came with them. */
  readonly told: ToldEntry[] = []
  #came = (): void => {}

  roomChanged = (room: RoomId, version: number, told?: ToldEntry): void => {
    if (told !== undefined) this.told.push(told)
    this.#note('roomChanged', [room, version])
  }
  roomGone = (...said: unknown[]): void => this.#note('roomGone', said)
  draftSaved = (...said: unknown[]): void => this.#note('draftSaved', said)
  chatSaid = (...said: unknown[]): void => this.#note('chatSaid', said)
  playerMuted = (...said: unknown[]): void => this.#note('playerMuted', said)
  onlookersChanged = (...said: unknown[]): void => this.#note('onlookersChanged', said)
  playerSeen = (...said: unknown[]): void => this.#note('playerSeen', said)
  gameHandedOn = (...said: unknown[]): void => this.#note('gameHandedOn', said)
  playerSeated = (...said: unknown[]): void => this.#note('playerSeated', said)
  lobbyChanged = (): void => this.#note('lobbyChanged', [])
  storeReplaced = (): void => this.#note('storeReplaced', [])

  /** What the first hint of a kind says. */
  async first(kind: keyof Hints): Promise<readonly unknown[]> {
    for (;;) {
      const hint = this.all.find(([heard]) => heard === kind)
      if (hint !== undefined) return hint.slice(1)
      await this.#next()
    }
  }

  /** Until each of these came. */
  async until(...hints: readonly HeardHint[]): Promise<void> {
    const missing = new Set(hints.map((hint) => JSON.stringify(hint)))
    for (;;) {
      for (const hint of this.all) missing.delete(JSON.stringify(hint))
      if (missing.size === 0) return
      await this.#next()
    }
  }

  #note(kind: keyof Hints, said: readonly unknown[]): void {
    this.all.push([kind, ...said])
    this.#came()
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#came = resolve
    })
  }
}

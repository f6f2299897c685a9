import type { NodeStore, PlayerId } from '../ports.ts'

const NOBODY: ReadonlySet<PlayerId> = new Set()

/** The node of a store that no other node can reach: there is nobody to tell, and nothing to hear. */
export class SingleNode implements NodeStore {
  readonly isShared = false

  listen(): void {}

  async follow(): Promise<void> {}

  unfollow(): void {}

  setConnected(): void {}

  tellSeated(): void {}

  tellHandedOn(): void {}

  tellLobby(): void {}

  tellMuted(): void {}

  async shareOnlookers(): Promise<readonly string[]> {
    return []
  }

  async connectedElsewhere(): Promise<ReadonlySet<PlayerId>> {
    return NOBODY
  }
}

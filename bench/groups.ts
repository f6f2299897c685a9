import { connectionGroup, stormGroup } from './connection-rows.ts'
import { engineGroup } from './engine-rows.ts'
import { ladderGroup } from './ladder-rows.ts'
import { crossNodeGroup, latencyGroup } from './latency-rows.ts'
import { moveGroup } from './move-rows.ts'
import { peerGroup } from './peer-rows.ts'
import { roomGroup } from './room-rows.ts'
import type { Group } from './scale.ts'

/** Rows by what is measured together, in the order in which it is. */
export const GROUPS: Readonly<Record<string, Group>> = {
  engine: engineGroup,
  moves: moveGroup,
  latency: latencyGroup,
  'cross-node': crossNodeGroup,
  rooms: roomGroup,
  connections: connectionGroup,
  storm: stormGroup,
  ladder: ladderGroup,
  peers: peerGroup,
}

import type { Board, BoardName, SpaceId } from './board.ts'
import { buildBoard } from './build-board.ts'

/** A board by names alone, as `junqi board` prints it. */
export interface BoardDescription {
  readonly spaces: readonly SpaceId[]
  readonly camps: readonly SpaceId[]
  readonly headquarters: readonly SpaceId[]
  readonly roads: readonly (readonly [SpaceId, SpaceId])[]
  readonly railroads: readonly (readonly [SpaceId, SpaceId])[]
  readonly lines: readonly (readonly SpaceId[])[]
}

function describeBoard(board: Board): BoardDescription {
  const name = (index: number) => board.spaces[index] ?? ''
  const pairs = (railroad: boolean) =>
    board.links
      .filter((link) => link.railroad === railroad)
      .map(({ a, b }) => [name(a), name(b)] as const)
  return {
    spaces: board.spaces,
    camps: board.spaces.filter((_, i) => board.kinds[i] === 'camp'),
    headquarters: board.spaces.filter((_, i) => board.kinds[i] === 'headquarters'),
    roads: pairs(false),
    railroads: pairs(true),
    lines: board.lines.map(({ spaces }) => spaces.map(name)),
  }
}

const describe = (name: BoardName) => describeBoard(buildBoard(name, []))

/** Both boards, whole. */
export const BOARDS: Readonly<Record<BoardName, BoardDescription>> = {
  duel: describe('duel'),
  siguo: describe('siguo'),
}

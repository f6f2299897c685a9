import type { BoardPlan } from './plan.ts'

/**
 * R-BOARD-4: 129 spaces on a 17 x 17 grid. Each army's territory is that of the duel board, turned so
 * that its front looks at the center; `+` are the nine center spaces, `/` and `\` the curved railroads.
 *
 *     17              o H o H o
 *     16              o=o=o=o=o
 *     15              # C o C #
 *     14              o o C o o     North
 *     13              # C o C #
 *     12              o=o=o=o=o
 *                    /#   #   #\
 *     11  o # o # o o=+===+===+=o o # o # o
 *     10  H o C o C o #   #   # o C o C o H
 *      9  o o o C o o=+===+===+=o o C o o o
 *      8  H o C o C o #   #   # o C o C o H
 *      7  o # o # o o=+===+===+=o o # o # o
 *         West       \#   #   #/       East
 *      6              o=o=o=o=o
 *      5              # C o C #
 *      4              o o C o o     South
 *      3              # C o C #
 *      2              o=o=o=o=o
 *      1              o H o H o
 *         a b c d e f g h i j k l m n o p q
 */
export const SIGUO: BoardPlan = {
  territories: {
    south: ({ row, column }) => ({ x: 6 + column, y: 7 - row }),
    east: ({ row, column }) => ({ x: 11 + row, y: 6 + column }),
    north: ({ row, column }) => ({ x: 12 - column, y: 11 + row }),
    west: ({ row, column }) => ({ x: 7 - row, y: 12 - column }),
  },
  center: ['g7', 'g9', 'g11', 'i7', 'i9', 'i11', 'k7', 'k9', 'k11'],
  lines: [
    ['g2', 'g16'],
    ['b7', 'p7'],
    ['i6', 'i12'],
    ['f9', 'l9'],
    ['k2', 'k16'],
    ['b11', 'p11'],
  ],
  // R-BOARD-5: the links g6-f7, k6-l7, g12-f11 and k12-l11.
  curves: [
    [
      ['g2', 'g6'],
      ['f7', 'b7'],
    ],
    [
      ['k2', 'k6'],
      ['l7', 'p7'],
    ],
    [
      ['g16', 'g12'],
      ['f11', 'b11'],
    ],
    [
      ['k16', 'k12'],
      ['l11', 'p11'],
    ],
  ],
}

import type { BoardPlan } from './plan.ts'

/**
 * R-BOARD-3: 60 spaces, columns a..e, rows 1..12; mountains (^) bar b and d between the fronts.
 * `o` post, `C` camp, `H` headquarters; `=` and `#` railroads; the other links are roads.
 *
 *     12  o-H-o-H-o   North's back
 *     11  o=o=o=o=o
 *     10  #-C-o-C-#
 *      9  o-o-C-o-o
 *      8  #-C-o-C-#
 *      7  o=o=o=o=o   North's front
 *         # ^ # ^ #
 *      6  o=o=o=o=o   South's front
 *      5  #-C-o-C-#
 *      4  o-o-C-o-o
 *      3  #-C-o-C-#
 *      2  o=o=o=o=o
 *      1  o-H-o-H-o   South's back
 *         a b c d e
 */
export const DUEL: BoardPlan = {
  territories: {
    south: ({ row, column }) => ({ x: column, y: 7 - row }),
    north: ({ row, column }) => ({ x: 6 - column, y: 6 + row }),
  },
  center: [],
  lines: [
    ['a2', 'a11'],
    ['e2', 'e11'],
    ['c6', 'c7'],
  ],
  curves: [],
}

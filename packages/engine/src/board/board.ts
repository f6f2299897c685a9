/** A space's name: column letter and row number, `a1`..`q17` (R-BOARD). */
export type SpaceId = string
export type SpaceKind = 'post' | 'camp' | 'headquarters'

import type { Seat } from '../seat.ts'

/** A resolved set of rules (RULES.md, "RuleSet fields and presets"). Every variant is a field here. */
export interface RuleSet {
  readonly board: 'siguo' | 'duel'
  /** The seats of the game, in the order south, east, north, west. */
  readonly seats: readonly Seat[]
  /** Who plays together; a seat alone is an alliance of one. */
  readonly alliances: readonly (readonly Seat[])[]
  readonly visibility: 'allDark' | 'allyOpen' | 'allOpen'
  readonly turnOrder: 'counterclockwise' | 'clockwise'
  readonly firstSeat: Seat | 'random'
  readonly emptyTerritory: 'open' | 'closed'
  /** Seconds, 5..600. */
  readonly turnSeconds: number
  /** Seconds, 0..3600. */
  readonly bankSeconds: number
  /** Seconds, 10..1800. */
  readonly deploymentSeconds: number
  readonly timeoutForfeit: number | null
  readonly quietMoveLimit: number | null
  readonly maxMoves: number | null
  readonly resignFromMove: number
  readonly landmine: 'stands' | 'mutual' | 'explodes' | 'repels'
  readonly fieldMarshalRepelled: boolean
  readonly bombFrontRow: boolean
  readonly flyingBomb: boolean
  readonly flagCapture: 'any' | 'notFieldMarshal' | 'engineerOnly'
  readonly railTurn: 'curve' | 'straight' | 'rightAngle'
  readonly leaveHeadquarters: boolean
  readonly engineerScout: boolean
  readonly fieldMarshalDeathRevealsFlag: boolean
  readonly eliminatedView: 'ally' | 'own' | 'public'
  readonly leaving: 'endsGame' | 'forfeit'
  /** The three fields of the flip game, which other games do not have. */
  readonly flipColour?: 'engineer' | 'twoInARow' | 'first'
  readonly flipMines?: 'engineersAndBombs' | 'engineers'
  readonly flipFlag?: 'smallest' | 'engineer' | 'any'
  readonly scoring: 'qq' | 'none'
  readonly scoreFloor: number | null
}

/** A rule set of the flip game (R-FLIP): one that has its fields. */
export type FlipRuleSet = Required<RuleSet>

export const isFlipGame = (ruleSet: RuleSet): ruleSet is FlipRuleSet =>
  ruleSet.flipColour !== undefined

/** All presets. */
export const PRESET_NAMES = [
  'siguo',
  'siguo-table',
  'duel',
  'sanguo',
  'siguo-free',
  'siguo-ally-open',
  'siguo-open',
  'duel-open',
  'siguo-duel',
  'flip',
] as const
export type PresetName = (typeof PRESET_NAMES)[number]

/** What a host may override (everything but board, seats and alliances). */
export type RuleOptions = {
  readonly [F in keyof RuleSet as Exclude<F, 'board' | 'seats' | 'alliances'>]?: RuleSet[F]
}

/** Rules by name, as rooms and records carry them. */
export interface Rules {
  readonly preset: PresetName
  readonly options: RuleOptions
}

/** Why rules were refused: the field and what would be right, in one sentence. */
export interface RulesError {
  readonly field: string
  readonly message: string
}

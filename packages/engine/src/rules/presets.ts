import type { PresetName, RuleSet } from './rule-set.ts'

/** QQ's four-player game. */
const SIGUO: RuleSet = {
  board: 'siguo',
  seats: ['south', 'east', 'north', 'west'],
  alliances: [
    ['south', 'north'],
    ['east', 'west'],
  ],
  visibility: 'allDark',
  turnOrder: 'counterclockwise',
  firstSeat: 'random',
  emptyTerritory: 'open',
  turnSeconds: 30,
  bankSeconds: 0,
  deploymentSeconds: 180,
  timeoutForfeit: 5,
  quietMoveLimit: 70,
  maxMoves: null,
  resignFromMove: 20,
  landmine: 'stands',
  fieldMarshalRepelled: false,
  bombFrontRow: false,
  flyingBomb: false,
  flagCapture: 'any',
  railTurn: 'curve',
  leaveHeadquarters: false,
  engineerScout: false,
  fieldMarshalDeathRevealsFlag: true,
  eliminatedView: 'ally',
  leaving: 'endsGame',
  scoring: 'qq',
  scoreFloor: 50,
}

const DUEL: RuleSet = {
  ...SIGUO,
  board: 'duel',
  seats: ['south', 'north'],
  alliances: [['south'], ['north']],
  turnSeconds: 60,
  timeoutForfeit: 3,
  eliminatedView: 'public',
}

/**
 * What R-FLIP fixes stands here as the fields that say so: an attack by officers on a landmine removes both, no flag
 * is revealed, nobody scouts, and what lies face down is dark to all. Nobody deploys: `deploymentSeconds` times nothing.
 */
const FLIP: RuleSet = {
  ...DUEL,
  resignFromMove: 0,
  landmine: 'mutual',
  railTurn: 'straight',
  leaveHeadquarters: true,
  fieldMarshalDeathRevealsFlag: false,
  flipColour: 'engineer',
  flipMines: 'engineersAndBombs',
  flipFlag: 'smallest',
  scoreFloor: null,
}

/** The named rules of RULES.md ("RuleSet fields and presets"). */
export const PRESETS: Readonly<Record<PresetName, RuleSet>> = {
  siguo: SIGUO,
  'siguo-table': {
    ...SIGUO,
    turnSeconds: 60,
    timeoutForfeit: 4,
    landmine: 'mutual',
    leaving: 'forfeit',
    scoreFloor: null,
  },
  duel: DUEL,
  sanguo: {
    ...SIGUO,
    seats: ['south', 'east', 'west'],
    alliances: [['south'], ['east'], ['west']],
    emptyTerritory: 'closed',
    eliminatedView: 'own',
    leaving: 'forfeit',
  },
  'siguo-free': {
    ...SIGUO,
    alliances: [['south'], ['east'], ['north'], ['west']],
    eliminatedView: 'own',
    leaving: 'forfeit',
  },
  'siguo-ally-open': { ...SIGUO, visibility: 'allyOpen' },
  'siguo-open': { ...SIGUO, visibility: 'allOpen' },
  'duel-open': { ...DUEL, visibility: 'allOpen' },
  'siguo-duel': { ...DUEL, board: 'siguo' },
  flip: FLIP,
}

import { assertNever } from '../assert.ts'
import type { AttackOutcome } from '../event.ts'
import { PIECES, type PieceKind, type PieceTraits } from '../piece.ts'
import type { RuleSet } from './rule-set.ts'

/** What an attack does (R-FIGHT). */
export interface CombatResult {
  readonly outcome: AttackOutcome
  readonly attackerRemoved: boolean
  readonly defenderRemoved: boolean
  /** The defender was a flag and is gone. */
  readonly flagCaptured: boolean
  /** The defender is an officer that an engineer found out (R-FIGHT-6). */
  readonly scouted: boolean
}

export function resolveCombat(
  attacker: PieceKind,
  defender: PieceKind,
  ruleSet: RuleSet,
): CombatResult {
  const [a, d] = [PIECES[attacker], PIECES[defender]]
  const outcome = outcomeOf(a, d, ruleSet)
  const defenderRemoved = outcome === 'attackerWins' || outcome === 'bothRemoved'
  return {
    outcome,
    attackerRemoved: outcome === 'defenderWins' || outcome === 'bothRemoved',
    defenderRemoved,
    flagCaptured: d.role === 'flag' && defenderRemoved,
    scouted: ruleSet.engineerScout && a.engineers && d.role === 'officer' && !d.engineers,
  }
}

function outcomeOf(a: PieceTraits, d: PieceTraits, ruleSet: RuleSet): AttackOutcome {
  switch (d.role) {
    case 'flag':
      return attackOnFlag(a, ruleSet)
    case 'bomb':
      return 'bothRemoved'
    case 'landmine':
      return a.role === 'bomb' ? 'bothRemoved' : attackOnLandmine(a, ruleSet)
    case 'officer':
      return a.role === 'bomb' ? 'bothRemoved' : byRank(a, d)
    default:
      return assertNever(d.role)
  }
}

/** R-FIGHT-2, and R-FIGHT-1 for bombs. */
function attackOnFlag(a: PieceTraits, { flagCapture }: RuleSet): AttackOutcome {
  if (flagCapture === 'engineerOnly' && !a.engineers) return 'repelled'
  if (flagCapture === 'notFieldMarshal' && a.commands) return 'repelled'
  return a.role === 'bomb' ? 'bothRemoved' : 'attackerWins'
}

/** R-FIGHT-3, bombs apart. */
function attackOnLandmine(a: PieceTraits, rules: RuleSet): AttackOutcome {
  if (a.commands && rules.fieldMarshalRepelled) return 'repelled'
  if (a.engineers && rules.landmine !== 'explodes') return 'attackerWins'
  switch (rules.landmine) {
    case 'stands':
      return 'defenderWins'
    case 'mutual':
    case 'explodes':
      return 'bothRemoved'
    case 'repels':
      return 'repelled'
    default:
      return assertNever(rules.landmine)
  }
}

/** R-FIGHT-4. */
function byRank(a: PieceTraits, d: PieceTraits): AttackOutcome {
  if (a.rank === d.rank) return 'bothRemoved'
  return a.rank > d.rank ? 'attackerWins' : 'defenderWins'
}

export { assertNever, InvariantError, invariant } from './assert.ts'
export type { SpaceId, SpaceKind } from './board/board.ts'
export type { Brand } from './brand.ts'
export type { GameCommand, RuleViolation, RuleViolationCode } from './command.ts'
export { RULE_VIOLATION_CODES } from './command.ts'
export type { AttackOutcome, GameEvent } from './event.ts'
export { ATTACK_OUTCOMES } from './event.ts'
export type { Piece, PieceId, PieceKind, PieceSymbol } from './piece.ts'
export { PIECE_KINDS, PIECE_SYMBOLS } from './piece.ts'
export type { Result } from './result.ts'
export { err, ok } from './result.ts'
export type { PresetName, RuleOptions, RuleSet, Rules, RulesError } from './rules/rule-set.ts'
export { PRESET_NAMES } from './rules/rule-set.ts'
export type { BySeat, PerSeat, Seat } from './seat.ts'
export { SEATS } from './seat.ts'
export type {
  DrawOffer,
  EliminationReason,
  EndReason,
  Formation,
  GameResult,
  GameState,
  SeatStatus,
} from './state.ts'
export { ELIMINATION_REASONS, END_REASONS } from './state.ts'
export type { PublicEvent, SeatEvent } from './view/seat-event.ts'
export type { GameView, Move, PieceView } from './view/seat-view.ts'
export type { Viewer } from './view/viewer.ts'

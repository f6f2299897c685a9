import type {
  GameRecord,
  GameView,
  PublicEvent,
  RuleOptions,
  RuleSet,
  SeatEvent,
} from '@junqi/engine'
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { gameRecord } from './game-record.ts'
import type { Immutable } from './immutable.ts'
import type { ruleOptions, ruleSet } from './rule-set.ts'
import type { publicEvent, seatEvent } from './seat-event.ts'
import type { gameView } from './seat-view.ts'

// Checked by the compiler (npm run check), not when it runs.
test('the schemas of views, events and rules have the types of the engine', () => {
  expectTypeOf<Immutable<z.infer<typeof gameView>>>().toEqualTypeOf<GameView>()
  expectTypeOf<Immutable<z.infer<typeof publicEvent>>>().toEqualTypeOf<PublicEvent>()
  expectTypeOf<Immutable<z.infer<typeof seatEvent>>>().toEqualTypeOf<SeatEvent>()
  expectTypeOf<Immutable<z.infer<typeof ruleSet>>>().toEqualTypeOf<RuleSet>()
  expectTypeOf<GameRecord>().toExtend<Immutable<z.infer<typeof gameRecord>>>()
  expectTypeOf<Immutable<z.infer<typeof ruleOptions>>>().toEqualTypeOf<RuleOptions>()
})

import type { Mutation } from '../mutation.ts'
import { ENGINE, ROOM } from './places.ts'

const TEST = `${ROOM}/flip.test.ts`

/** What must not happen in a flip game, where nobody knows what lies face down (R-FLIP-1). */
export const FLIPPED: readonly Mutation[] = [
  {
    fault: 'F-H2',
    plants: 'the layout is in the views of a running flip game',
    file: `${ENGINE}/view/view-game.ts`,
    find: 'layout: mayKnowLayout(state) ? state.layout : null,',
    replace: 'layout: state.layout,',
    test: TEST,
  },
  {
    fault: 'F-H2',
    plants: 'the colour of what lies face down is told',
    file: `${ENGINE}/view/view-game.ts`,
    find: "{ id, space, kind: 'hidden', colour: null }",
    replace: "{ id, space, kind: 'hidden', colour }",
    test: TEST,
  },
  {
    fault: 'F-H5',
    plants: 'what may be turned up is offered to those who look on',
    file: `${ROOM}/view-room.ts`,
    find: "return { flips: viewer === 'spectator' ? [] : legalFlips(game, viewer) }",
    replace: "return { flips: legalFlips(game, viewer === 'spectator' ? 'south' : viewer) }",
    test: TEST,
  },
  {
    fault: 'F-S6',
    plants: 'a piece is turned up out of turn',
    file: `${ENGINE}/decide.ts`,
    find: "    case 'flipPiece':\n      if (state.toMove !== seat) return 'not_your_turn'",
    replace: "    case 'flipPiece':",
    test: TEST,
  },
  {
    fault: 'F-S6',
    plants: 'what lies open can be turned up again',
    file: `${ENGINE}/decide.ts`,
    find: "return legalFlips(state, seat).includes(command.space) ? null : 'illegal_flip'",
    replace: "return state.flip === null ? 'illegal_flip' : null",
    test: TEST,
  },
  {
    fault: 'F-H3',
    plants: 'a log may hold any layout',
    file: `${ROOM}/room-event.ts`,
    find: 'layout: z.array(z.templateLiteral([colour, z.enum(PIECE_SYMBOLS)])).exactOptional(),',
    replace: 'layout: z.any().exactOptional(),',
    test: TEST,
  },
]

import type { Mutation } from '../mutation.ts'
import { CLIENT, PAGE } from './places.ts'

/** What the page may show or believe that is not so. Of the page in a browser nothing is planted: it is not built anew. */
export const PAGED: readonly Mutation[] = [
  {
    fault: 'R-FIGHT-7',
    plants: 'a move is drawn through what stands in its way',
    file: `${PAGE}/board/way.ts`,
    find: '!isTaken(name(index))',
    replace: 'index >= 0 || !isTaken(name(index))',
    test: `${PAGE}/board/story.test.ts`,
  },
  {
    fault: 'R-OUT-2',
    plants: 'an army that is out still stands there in the story',
    file: `${PAGE}/board/story.ts`,
    find: 'if (standing.seat === seat) this.#standing.delete(space)',
    replace: "if (standing.seat === seat && space === '') this.#standing.delete(space)",
    test: `${PAGE}/board/story.test.ts`,
  },
  {
    fault: 'R-DEPLOY-4',
    plants: 'of two pieces that are exchanged only the first is looked at',
    file: `${PAGE}/deploy/formation-edit.ts`,
    find: 'misplacement(ruleSet, kindAt(formation, other), one)',
    replace: 'null',
    test: `${PAGE}/deploy/formation-edit.test.ts`,
  },
  {
    fault: 'R-CHAT-1',
    plants: 'who left the game is offered the talk of the table',
    file: `${PAGE}/screens/talk-channels.ts`,
    find: 'if (you.seat === null || hasLeft(game, you.seat))',
    replace: 'if (you.seat === null || (hasLeft(game, you.seat) && game === null))',
    test: `${PAGE}/screens/talk-channels.test.ts`,
  },
  {
    fault: 'R-SEE-1',
    plants: 'the replay shows a seat what it did not see',
    file: `${PAGE}/screens/replay-frames.ts`,
    find: "if (viewer !== 'truth') return",
    replace: "if (viewer === 'spectator') return",
    test: `${PAGE}/screens/replay-frames.test.ts`,
  },
  {
    fault: 'R-SEAL-3',
    plants: 'a game that has lost its seal passes for one that had none',
    file: `${PAGE}/screens/seal-verdict.ts`,
    find: 'commitments === null && record.seal === undefined',
    replace: 'record.seal === undefined',
    test: `${PAGE}/screens/seal-verdict.test.ts`,
  },
  {
    fault: 'R-SEAL-3',
    plants: 'what was told at the start is not compared',
    file: `${PAGE}/screens/seal-verdict.ts`,
    find: 'verifyGame(record, commitments)',
    replace: 'verifyGame(record, isUnsealed ? commitments : null)',
    test: `${PAGE}/screens/seal-verdict.test.ts`,
  },
  {
    fault: 'R-SEAL-3',
    plants: 'what is told later takes the place of what was told first',
    file: `${PAGE}/store/told-seals.ts`,
    find: 'if (sealIn(seals, room) !== null) return seals',
    replace: 'if (sealIn(seals, room) === told) return seals',
    test: `${PAGE}/store/told-seals.test.ts`,
  },
  {
    fault: 'R-SEAL-3',
    plants: 'outcomes are counted and not compared',
    file: `${CLIENT}/src/told-outcomes.ts`,
    find: 'if (!isAlike(event, told[at])) return n',
    replace: 'if (told[at] === undefined) return n',
    test: `${CLIENT}/src/told-outcomes.test.ts`,
  },
]

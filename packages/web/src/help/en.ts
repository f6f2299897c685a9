import type { HelpTexts } from './zh.ts'

/** How to play, in English. */
export const helpEn: HelpTexts = {
  intro:
    'Capture the flag of your opponent. You do not see what the pieces of the others are: you attack, watch and guess.',
  turn: {
    title: 'Your turn',
    lines: [
      'Each turn you move one of your pieces. Tap it, and the places where it can go light up; then tap one of them. Or drag it there.',
      'Along a road (a thin line) it goes one step. If a piece of an opponent stands there, you attack it.',
      'Your own pieces and those of your ally cannot be attacked, and nobody jumps over a piece.',
    ],
  },
  board: {
    title: 'The board',
    lines: [
      'Railways (thick striped lines): any distance along a straight line or a bend, if nothing stands between, but not round a sharp corner. Only engineers turn wherever they like.',
      'Camps (round): who stands in a camp cannot be attacked. A camp is linked to all eight places around it.',
      'Headquarters: each army has two, and its flag stands in one of them. Who enters a headquarters cannot leave it (but in the flip game it can).',
      'Posts (with corners): all other places.',
    ],
  },
  pieces: {
    title: 'The pieces',
    order: 'The strongest comes first. Among the nine officers, the higher rank wins.',
    rank: (rank) => `rank ${rank}`,
    texts: {
      fieldMarshal:
        'The strongest. When it falls in an attack, everyone is shown where its flag is.',
      general: 'Fears only the field marshal, bombs and landmines.',
      majorGeneral: 'Strong in attack.',
      brigadier: 'Strong in attack.',
      colonel: 'Neither strong nor weak.',
      major: 'Neither strong nor weak.',
      captain: 'Good to find out what stands where.',
      lieutenant: 'Stronger than engineers only.',
      engineer:
        'The weakest officer, but it clears landmines, and turns wherever it likes on railways.',
      bomb: 'Whatever it meets is gone, and the bomb too, be it a landmine or the flag.',
      landmine:
        'Cannot move. Who attacks it is gone, and it stays. An engineer clears it; with a bomb both are gone.',
      flag: 'Cannot move and stands in a headquarters. When it is captured, its army is out.',
    },
  },
  fight: {
    title: 'Who wins an attack',
    lines: [
      'The higher rank wins, and the lower one is gone. Of the same rank, both are gone.',
      'Everyone learns who is gone, but nobody is told what the pieces were.',
      'Some tables have other rules, for example landmines that are gone with their attacker: see “Rules of this table”.',
    ],
  },
  deployment: {
    title: 'Deployment',
    lines: [
      'First you lay out your twenty-five pieces. If you would rather not, press “Shuffle”, then “Ready”.',
      'The flag goes into a headquarters, landmines into the last two rows, bombs not into the front row; camps stay empty.',
      'When time runs out before you are ready, your last layout is taken.',
    ],
  },
  four: {
    title: 'Four players',
    lines: [
      'Your ally sits opposite you. When both opponents are out, you two have won together.',
      'Turns go anticlockwise: South, East, North, West.',
      'When a player is out, all its pieces leave the board; as long as its ally plays on, it can still win.',
      'With “allies open” you see the pieces of your ally, else you do not. What you say to “your ally” nobody else hears.',
    ],
  },
  end: {
    title: 'Out, and the end',
    lines: [
      'A player is out whose flag is captured, who cannot move, resigns, leaves, or was too late too often.',
      'It is a draw if all agree, or if nothing was captured for long.',
      'After the end all pieces are shown, and you can play the game back.',
    ],
  },
  clock: {
    title: 'The clock',
    lines: [
      'The ring shows the seconds that are left. Who has not moved by then is skipped, and that counts as a timeout.',
      'After how many timeouts you are out stands beside your name when you have one.',
      'Losing the connection is not leaving: come back and play on, but the clock does not wait.',
    ],
  },
  marks: {
    title: 'Marks',
    lines: [
      'Tap a hidden piece of another to write down what you guess: only you see it. A long press does it too, or the right button of a mouse, or the key M.',
      'A small yellow dot: this piece has moved, so it is no landmine and no flag.',
      'The yellow line: the way of the last move.',
    ],
  },
  flip: {
    title: 'Flip game',
    lines: [
      'For two. All pieces lie face down and nobody deploys. In your turn you turn one up, or move one of yours that lies face up.',
      'Who first turns up an engineer plays its colour.',
      'Pieces that lie face down neither move nor are attacked.',
      'Clear the three landmines of your opponent (with engineers or bombs); then the flag can be captured, by your weakest officers left.',
    ],
  },
  all: 'All the rules',
}

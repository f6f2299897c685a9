/** QQ's titles, the lowest first, each with the score from which it is held (R-SCORE-6). */
export const TITLES = [
  { title: 'soldier', chinese: '小兵', from: Number.NEGATIVE_INFINITY },
  { title: 'deputySergeant', chinese: '副班长', from: 10 },
  { title: 'sergeant', chinese: '正班长', from: 20 },
  { title: 'deputyLieutenant', chinese: '副排长', from: 30 },
  { title: 'lieutenant', chinese: '排长', from: 50 },
  { title: 'deputyCaptain', chinese: '副连长', from: 100 },
  { title: 'captain', chinese: '连长', from: 150 },
  { title: 'deputyMajor', chinese: '副营长', from: 220 },
  { title: 'major', chinese: '营长', from: 350 },
  { title: 'deputyColonel', chinese: '副团长', from: 500 },
  { title: 'colonel', chinese: '团长', from: 750 },
  { title: 'deputyBrigadier', chinese: '副旅长', from: 1000 },
  { title: 'brigadier', chinese: '旅长', from: 1550 },
  { title: 'deputyMajorGeneral', chinese: '副师长', from: 2150 },
  { title: 'majorGeneral', chinese: '师长', from: 3150 },
  { title: 'deputyGeneral', chinese: '副军长', from: 5000 },
  { title: 'general', chinese: '军长', from: 6350 },
  { title: 'fieldMarshal', chinese: '司令', from: 12_750 },
] as const

export type Title = (typeof TITLES)[number]['title']

export const TITLE_NAMES: readonly Title[] = TITLES.map(({ title }) => title)

/** The title that goes with a score (R-SCORE-6). */
export const titleOf = (score: number): Title =>
  TITLES.findLast(({ from }) => score >= from)?.title ?? TITLES[0].title

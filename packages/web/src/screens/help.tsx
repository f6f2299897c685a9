import { PIECE_KINDS, PIECES, type PieceKind } from '@junqi/engine'
import type { JSX } from 'preact'
import { helpEn } from '../help/en.ts'
import { type HelpTexts, helpZh } from '../help/zh.ts'
import { en } from '../i18n/en.ts'
import { language, words } from '../i18n/i18n.ts'
import { zh } from '../i18n/zh.ts'

const TEXTS: Readonly<Record<typeof language.value, HelpTexts>> = { zh: helpZh, en: helpEn }

/** The rules in simple words, on one page. */
export function Help(): JSX.Element {
  const texts = TEXTS[language.value]
  const { pieces } = texts
  return (
    <article class="help" data-test="help">
      <h1>{words.value.help}</h1>
      <p>{texts.intro}</p>
      <Section {...texts.turn} />
      <Section {...texts.board} />
      <section class="card">
        <h2>{pieces.title}</h2>
        <p>{pieces.order}</p>
        <ol class="army">
          {PIECE_KINDS.map((kind) => (
            <PieceLine key={kind} kind={kind} texts={texts} />
          ))}
        </ol>
      </section>
      <Section {...texts.fight} />
      <Section {...texts.deployment} />
      <Section {...texts.four} />
      <Section {...texts.end} />
      <Section {...texts.clock} />
      <Section {...texts.marks} />
      <Section {...texts.flip} />
      <p>
        <a href="docs/rules.html">{texts.all}</a>
      </p>
    </article>
  )
}

interface SectionProps {
  readonly title: string
  readonly lines: readonly string[]
}

function Section({ title, lines }: SectionProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

/** A kind with all that may be written on a piece of it. */
function PieceLine({ kind, texts }: { readonly kind: PieceKind; readonly texts: HelpTexts }) {
  const { kinds } = words.value
  const { rank, count } = PIECES[kind]
  const { pieces } = texts
  return (
    <li>
      <b class="faces">
        <span lang="zh-CN">{zh.faces[kind]}</span> <span lang="en">{en.faces[kind]}</span>
      </b>
      <span>
        <strong>{kinds[kind]}</strong> ×{count}
        {rank > 0 && ` · ${pieces.rank(rank)}`}
        <br />
        {pieces.texts[kind]}
      </span>
    </li>
  )
}

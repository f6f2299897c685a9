import { computed, effect, signal } from '@preact/signals'
import { readSetting, writeSetting } from '../store/settings.ts'
import { en } from './en.ts'
import { type Catalogue, zh } from './zh.ts'

export type Language = 'zh' | 'en'
const CATALOGUES: Readonly<Record<Language, Catalogue>> = { zh, en }

/** The first language of the browser that the page speaks. */
export function preferredLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return 'zh'
    if (/^en\b/i.test(language)) return 'en'
  }
  return 'en'
}

const chosen = readSetting('language')

/** What the page speaks: the player's choice, else the browser's. */
export const language = signal<Language>(
  chosen === 'zh' || chosen === 'en' ? chosen : preferredLanguage(navigator.languages),
)

/** All words in that language; who reads it in rendering is rendered anew when it changes. */
export const words = computed<Catalogue>(() => CATALOGUES[language.value])

/** Several names, one after another, as the language does it. */
export const listOf = (names: readonly string[]): string => lists.value.format(names)

/** The same for what is more than text: with each of `things`, and with what stands between them. */
export function inList<T, Shown>(
  things: readonly T[],
  show: (thing: T) => Shown,
): readonly (Shown | string)[] {
  const left = [...things]
  return lists.value
    .formatToParts(things.map(() => '-'))
    .flatMap<Shown | string>(({ type, value }) =>
      type === 'element' ? left.splice(0, 1).map(show) : [value],
    )
}

const lists = computed(() => new Intl.ListFormat(language.value === 'zh' ? 'zh-CN' : 'en'))

/** What the title of the window says before the game's name, to who looks elsewhere; null: nothing. */
export const titleNews = signal<string | null>(null)

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
  const { title } = words.value
  document.title = titleNews.value === null ? title : `${titleNews.value} · ${title}`
})

export function switchLanguage(): void {
  language.value = language.value === 'zh' ? 'en' : 'zh'
  writeSetting('language', language.value)
}

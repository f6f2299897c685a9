import { effect, signal } from '@preact/signals'
import { readSetting, writeSetting } from '../store/settings.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const chosen = readSetting('theme')
export const theme = signal<Theme>(THEMES.find((known) => known === chosen) ?? 'auto')

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
  writeSetting('theme', theme.value)
}

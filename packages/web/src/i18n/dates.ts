import { computed } from '@preact/signals'
import { language } from './i18n.ts'

const format = computed(
  () =>
    new Intl.DateTimeFormat(language.value === 'zh' ? 'zh-CN' : 'en', {
      dateStyle: 'medium',
      timeStyle: 'short',
    }),
)

/** A date and time as they are written where the player is. */
export const formatDate = (at: number): string => format.value.format(at)

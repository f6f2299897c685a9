import type { Refusal } from '@junqi/client'
import type { Result } from '@junqi/engine'
import { signal } from '@preact/signals'
import { words } from '../i18n/i18n.ts'
import { refusalIn } from '../i18n/refusal-words.ts'

/** A sentence that is shown for a while. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly since: number
}

const SHOWN_MS = 6000
/** What has come so lately may be why the player is taken elsewhere, and is still to be read there. */
const JUST_MS = 500
let made = 0

export const notices = signal<readonly Notice[]>([])

export function notify(text: string): void {
  const notice = { id: made++, text, since: performance.now() }
  notices.value = [...notices.value.filter((other) => other.text !== text), notice]
  setTimeout(() => dismiss(notice.id), SHOWN_MS)
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/** What was said of another screen does not stay when the player goes on. */
export function dismissOlder(): void {
  notices.value = notices.value.filter(({ since }) => performance.now() - since < JUST_MS)
}

/** A refusal in the player's language. */
export const sentenceOf = (refused: Refusal): string => refusalIn(words.value, refused)

/** Waits for a command, and says so when it was refused. */
export async function attempt<T>(asked: Promise<Result<T, Refusal>>): Promise<T | null> {
  const result = await asked
  if (result.ok) return result.value
  notify(sentenceOf(result.error))
  return null
}

import type { GameRecord } from '@junqi/engine'
import { signal } from '@preact/signals'

/** The record that the replay viewer is to show: a game that was just looked at, and its table. */
export const shownRecord = signal<{ readonly record: GameRecord; readonly room: string } | null>(
  null,
)

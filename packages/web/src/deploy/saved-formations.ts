import { type Formation, parseFormation } from '@junqi/engine'
import { signal } from '@preact/signals'
import { readSetting, writeSetting } from '../store/settings.ts'

/** How many are kept; the oldest makes room. */
const MOST = 20

/** Reads what was written; what is no formation is left out. */
export function parseFormations(text: string | null): readonly Formation[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => parseFormation(line).ok)
    .slice(-MOST)
}

/** Formations that the player keeps in this browser. */
export const savedFormations = signal(parseFormations(readSetting('formations')))

function keep(formations: readonly Formation[]): void {
  savedFormations.value = formations.slice(-MOST)
  writeSetting('formations', savedFormations.value.join('\n'))
}

export const saveFormation = (formation: Formation): void =>
  keep([...savedFormations.value.filter((saved) => saved !== formation), formation])

export const deleteFormation = (formation: Formation): void =>
  keep(savedFormations.value.filter((saved) => saved !== formation))

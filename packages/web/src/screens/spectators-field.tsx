import type { Spectators } from '@junqi/protocol'
import type { JSX } from 'preact'
import { words } from '../i18n/i18n.ts'

/** Moves that spectators are behind: the fewest and most that a server takes, and what is offered first. */
const FEWEST = 1
const MOST = 100
const FIRST_DELAY = 10

const MODES = ['public', 'delayed', 'none'] as const

/** Who may look on, in words. */
export function wordForSpectators(spectators: Spectators): string {
  const { modes, behind } = words.value.spectators
  return spectators.mode === 'delayed' ? behind(spectators.moves) : modes[spectators.mode]
}

interface Props {
  readonly spectators: Spectators
  readonly onChange: (spectators: Spectators) => void
}

/** Chooses who may look on while the game runs, and how late. */
export function SpectatorsField({ spectators, onChange }: Props): JSX.Element {
  const { title, text, modes, moves } = words.value.spectators
  const { mode } = spectators
  return (
    <div class="option">
      <label for="spectators">{title}</label>
      <small id="spectators-text">{text}</small>
      <span class="number">
        <select
          id="spectators"
          aria-describedby="spectators-text"
          value={mode}
          onChange={(event) => {
            const chosen = MODES.find((known) => known === event.currentTarget.value) ?? 'public'
            onChange(chosen === 'delayed' ? { mode: chosen, moves: FIRST_DELAY } : { mode: chosen })
          }}
        >
          {MODES.map((each) => (
            <option key={each} value={each}>
              {modes[each]}
            </option>
          ))}
        </select>
        {mode === 'delayed' && (
          <input
            type="number"
            id="spectators-delay"
            aria-label={moves}
            min={FEWEST}
            max={MOST}
            value={spectators.moves}
            onChange={(event) => {
              const given = Math.round(event.currentTarget.valueAsNumber)
              const isNumber = !Number.isNaN(given)
              const wanted = isNumber ? Math.min(MOST, Math.max(FEWEST, given)) : spectators.moves
              event.currentTarget.value = String(wanted)
              onChange({ mode, moves: wanted })
            }}
          />
        )}
      </span>
    </div>
  )
}

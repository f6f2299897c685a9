import type { Client, QuickPlayWish } from '@junqi/client'
import { allyOf, PRESET_NAMES, PRESETS, type PresetName } from '@junqi/engine'
import { BOT_LEVELS, type BotLevel } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSubmit } from '../app/one-at-a-time.ts'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import { isWaiting } from '../store/quick-play.ts'
import { ActionButton } from './action-button.tsx'
import { PairForm } from './pair.tsx'

interface Props {
  readonly client: Client
}

/** What can be played at once. */
const AT_ONCE: readonly PresetName[] = ['siguo', 'duel', 'flip']

/** Bots take the empty seats at once, or never. */
const WITH_BOTS = { rated: false, bots: { afterSeconds: 0, level: 'normal' } } as const
const WITH_PEOPLE = { bots: 'never' } as const

/** The games that most come for, one tap away. */
export function PlayNow({ client }: Props): JSX.Element | null {
  const { lobby, presets, presetTexts } = words.value
  if (isWaiting.value) return null
  return (
    <section class="play-now" aria-label={lobby.playNow}>
      {AT_ONCE.map((preset) => (
        <article key={preset} class={`big ${preset}`}>
          <h2>{presets[preset]}</h2>
          <p>{presetTexts[preset]}</p>
          <div class="actions">
            <ActionButton
              data-test={`bots-${preset}`}
              aria-label={`${presets[preset]}: ${lobby.withBots}`}
              action={() => attempt(client.quickPlay.join({ preset, ...WITH_BOTS }))}
            >
              {lobby.withBots}
            </ActionButton>
            <ActionButton
              data-test={`people-${preset}`}
              aria-label={`${presets[preset]}: ${lobby.withPeople}`}
              action={() => attempt(client.quickPlay.join({ preset, ...WITH_PEOPLE }))}
            >
              {lobby.withPeople}
            </ActionButton>
          </div>
        </article>
      ))}
    </section>
  )
}

/** After how many seconds bots fill a table, where they may. */
const BOT_PATIENCES = [0, 30, 60] as const

/** R-SCORE-7: whether a game can be scored whose empty seats bots take after so many seconds (null: never). */
function scoringWith(patience: number | null): 'people' | 'unlessBots' | 'never' {
  if (patience === null) return 'people'
  return patience === 0 ? 'never' : 'unlessBots'
}

/** Any game, alone or as a pair, with bots or without. */
export function QuickPlay({ client }: Props): JSX.Element | null {
  const { quick, presets, table } = words.value
  const [preset, setPreset] = useState<PresetName>('siguo')
  const [isPair, setPair] = useState(false)
  const [patience, setPatience] = useState<number | null>(30)
  const [level, setLevel] = useState<BotLevel>('normal')
  const [rated, setRated] = useState(true)
  const scoring = scoringWith(patience)
  const mayPair = allyOf(PRESETS[preset], 'south') !== null
  const submit = useSubmit(() => {
    const wish: QuickPlayWish = {
      preset,
      rated: rated && scoring !== 'never',
      bots: patience === null ? 'never' : { afterSeconds: patience, level },
      ...(isPair && mayPair && { with: 'partner' }),
    }
    return attempt(client.quickPlay.join(wish))
  })
  if (isWaiting.value) return null
  return (
    <section class="card quick" data-test="quick-play">
      <h2>{quick.title}</h2>
      <form onSubmit={submit}>
        <label class="line">
          {quick.game}
          <select
            value={preset}
            data-test="quick-preset"
            onChange={(event) => setPreset(presetIn(event.currentTarget.value) ?? preset)}
          >
            {PRESET_NAMES.map((name) => (
              <option key={name} value={name}>
                {presets[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="line">
          {quick.bots}
          <select
            value={String(patience)}
            data-test="quick-bots"
            onChange={(event) => {
              const chosen = event.currentTarget.value
              setPatience(BOT_PATIENCES.find((seconds) => String(seconds) === chosen) ?? null)
            }}
          >
            <option value="null">{quick.noBots}</option>
            {BOT_PATIENCES.map((seconds) => (
              <option key={seconds} value={String(seconds)}>
                {seconds === 0 ? quick.botsAtOnce : quick.botsAfter(seconds)}
              </option>
            ))}
          </select>
        </label>
        {patience !== null && (
          <label class="line">
            {quick.level}
            <select
              value={level}
              onChange={(event) => setLevel(levelIn(event.currentTarget.value) ?? level)}
            >
              {BOT_LEVELS.map((each) => (
                <option key={each} value={each}>
                  {table.botLevels[each]}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={rated && scoring !== 'never'}
            disabled={scoring === 'never'}
            onChange={(event) => setRated(event.currentTarget.checked)}
          />
          {quick.rated[scoring]}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isPair && mayPair}
            disabled={!mayPair}
            data-test="quick-pair"
            onChange={(event) => setPair(event.currentTarget.checked)}
          />
          {quick.pair}
        </label>
        <button type="submit" class="primary" data-test="quick-join">
          {quick.join}
        </button>
      </form>
      <PairForm client={client} />
    </section>
  )
}

const presetIn = (text: string): PresetName | undefined =>
  PRESET_NAMES.find((name) => name === text)
const levelIn = (text: string): BotLevel | undefined => BOT_LEVELS.find((level) => level === text)

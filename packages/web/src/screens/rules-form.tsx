import {
  checkRules,
  PRESET_NAMES,
  PRESETS,
  type PresetName,
  RULE_DOMAINS,
  type RuleOptions,
  type Rules,
} from '@junqi/engine'
import type { JSX } from 'preact'
import { words } from '../i18n/i18n.ts'
import type { Catalogue } from '../i18n/zh.ts'
import { whyFriendly } from './why-friendly.ts'

type Field = keyof RuleOptions
type Value = string | number | boolean | null

interface FieldWords {
  readonly name: string
  readonly text: string
  readonly values?: Readonly<Record<string, string>>
}

/** What a field is called and means, and its values. */
export const wordsOf = (field: Field, { rules }: Catalogue): FieldWords => rules.fields[field]

const FIELDS = Object.keys(RULE_DOMAINS).filter((name): name is Field => name in RULE_DOMAINS)

/** Whether a preset has this field, with this value: where the territories are all taken, say, none is closed. */
const isPossible = (preset: PresetName, field: Field, value: Value | undefined): boolean =>
  value !== undefined && checkRules({ preset, options: { [field]: value } }).ok

/** What can be chosen for a field; null: numbers. */
function choicesOf(preset: PresetName, field: Field): readonly (string | boolean)[] | null {
  const domain = RULE_DOMAINS[field]
  if (!('oneOf' in domain)) return null
  return domain.oneOf.filter((value) => checkRules({ preset, options: { [field]: value } }).ok)
}

/** The fields that a host of this preset can change. */
export const fieldsOf = (preset: PresetName): readonly Field[] =>
  FIELDS.filter((field) => isPossible(preset, field, PRESETS[preset][field]))

/** Options that say something else than the preset does. */
export function withOption({ preset, options }: Rules, field: Field, value: Value): Rules {
  const { [field]: _, ...others } = options
  const isPresets = PRESETS[preset][field] === value
  const checked = checkRules({
    preset,
    options: isPresets ? others : { ...others, [field]: value },
  })
  return checked.ok ? checked.value.rules : { preset, options }
}

/** A field's value in words. */
export function wordFor(field: Field, value: Value | undefined, catalogue: Catalogue): string {
  const { on, off, none } = catalogue.rules
  if (value === null) return none
  if (typeof value === 'boolean') return value ? on : off
  return wordsOf(field, catalogue).values?.[String(value)] ?? String(value)
}

/** That a game by these rules is not scored, whoever plays, and why; null: it can be. */
function unscoredBy({ preset, options }: Rules): string | null {
  const ruleSet = { ...PRESETS[preset], ...options }
  const why = whyFriendly({ rules: { preset, ruleSet }, seats: {} })
  return why && words.value.rules.friendly[why]
}

interface FormProps {
  readonly rules: Rules
  readonly onChange: (rules: Rules) => void
}

/** Chooses a preset, and changes any of its fields. */
export function RulesForm({ rules, onChange }: FormProps): JSX.Element {
  const { lobby, presets, presetTexts } = words.value
  const changed = Object.keys(rules.options).length
  const unscored = unscoredBy(rules)
  return (
    <>
      <fieldset class="presets">
        <legend>{lobby.rules}</legend>
        {PRESET_NAMES.map((preset) => (
          <label key={preset} class={preset === rules.preset ? 'chosen' : ''}>
            <input
              type="radio"
              name="preset"
              value={preset}
              checked={preset === rules.preset}
              onChange={() => onChange({ preset, options: {} })}
            />
            <strong>{presets[preset]}</strong>
            <small>{presetTexts[preset]}</small>
          </label>
        ))}
      </fieldset>
      <details class="options">
        <summary>
          {lobby.options}
          {changed > 0 && ` · ${lobby.changedOptions(changed)}`}
          {unscored !== null && ` · ${unscored}`}
        </summary>
        {fieldsOf(rules.preset).map((field) => (
          <FieldInput
            key={`${rules.preset} ${field}`}
            field={field}
            rules={rules}
            onChange={onChange}
          />
        ))}
      </details>
    </>
  )
}

type FieldProps = FormProps & { readonly field: Field }

function FieldInput({ field, rules, onChange }: FieldProps) {
  const catalogue = words.value
  const { name, text } = wordsOf(field, catalogue)
  const value = rules.options[field] ?? PRESETS[rules.preset][field]
  const isChanged = field in rules.options
  const id = `option-${field}`
  const choices = choicesOf(rules.preset, field)
  const set = (chosen: Value): void => onChange(withOption(rules, field, chosen))
  return (
    <div class={`option ${isChanged ? 'changed' : ''}`}>
      <label for={id}>{name}</label>
      <small id={`${id}-text`}>{(field === 'scoring' && unscoredBy(rules)) || text}</small>
      {choices === null ? (
        <NumberInput id={id} field={field} value={numberOf(rules, field)} onChange={set} />
      ) : (
        <select
          id={id}
          aria-describedby={`${id}-text`}
          value={String(value)}
          onChange={(event) => {
            const chosen = choices.find((choice) => String(choice) === event.currentTarget.value)
            if (chosen !== undefined) set(chosen)
          }}
        >
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {wordFor(field, choice, catalogue)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function numberOf({ preset, options }: Rules, field: Field): number | null {
  const value = field in options ? options[field] : PRESETS[preset][field]
  return typeof value === 'number' ? value : null
}

interface NumberProps {
  readonly id: string
  readonly field: Field
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** How a number that had no limit begins. */
const FIRST_LIMIT = 50

function NumberInput({ id, field, value, onChange }: NumberProps) {
  const domain = RULE_DOMAINS[field]
  if ('oneOf' in domain) return null
  const { min, max, orNull } = domain
  const isBounded = Number.isSafeInteger(max) && max < Number.MAX_SAFE_INTEGER
  return (
    <span class="number">
      <input
        id={id}
        type="number"
        aria-describedby={`${id}-text`}
        {...(isBounded && { min, max })}
        disabled={value === null}
        value={value ?? ''}
        onChange={(event) => {
          const given = Math.round(event.currentTarget.valueAsNumber)
          const inRange = Number.isNaN(given) ? value : Math.min(max, Math.max(min, given))
          if (inRange !== null) event.currentTarget.value = String(inRange)
          onChange(inRange)
        }}
      />
      {orNull && (
        <label>
          <input
            type="checkbox"
            checked={value === null}
            onChange={(event) => onChange(event.currentTarget.checked ? null : FIRST_LIMIT)}
          />
          {words.value.rules.none}
        </label>
      )}
    </span>
  )
}

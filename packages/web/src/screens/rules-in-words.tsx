import { PRESETS, type Rules } from '@junqi/engine'
import type { JSX } from 'preact'
import { words } from '../i18n/i18n.ts'
import { fieldsOf, wordFor, wordsOf } from './rules-form.tsx'
import type { WhyFriendly } from './why-friendly.ts'

interface RulesProps {
  readonly rules: Rules
  /** Why the game is not scored, whatever its rules say of scores; null: it is. */
  readonly friendly: WhyFriendly | null
}

/** The rules of a table, every field with what it means. Those that differ from the preset stand out. */
export function RulesInWords({ rules, friendly }: RulesProps): JSX.Element {
  const catalogue = words.value
  const ruleSet = { ...PRESETS[rules.preset], ...rules.options }
  return (
    <dl class="rules">
      {fieldsOf(rules.preset).map((field) => {
        const { name, text } = wordsOf(field, catalogue)
        const isChanged = field in rules.options
        // Where nothing is scored no floor matters.
        if (field === 'scoreFloor' && friendly !== null && !isChanged) return null
        return (
          <div key={field} class={isChanged ? 'changed' : ''} data-rule={field}>
            <dt title={text}>{name}</dt>
            <dd>
              {field === 'scoring' && friendly !== null
                ? catalogue.rules.friendly[friendly]
                : wordFor(field, ruleSet[field], catalogue)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

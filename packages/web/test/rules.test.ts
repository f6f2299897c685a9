import { checkRules, PRESETS, type PresetName, RULE_DOMAINS } from '@junqi/engine'
import { rules } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { describeWithBrowser } from './support/browser.ts'
import { openHouse } from './support/house.ts'

type Value = string | number | boolean | null
type Options = Readonly<Record<string, Value>>

/** All that can be chosen, by the protocol's own schema: what is new there is asked of the page at once. */
const FIELDS = Object.keys(rules.shape.options.shape)

/** What a field may hold: all of a list, some of numbers. */
function valuesOf(field: string): readonly Value[] {
  const domain = Object.entries(RULE_DOMAINS).find(([name]) => name === field)?.[1]
  if (domain === undefined) throw new Error(`Nothing is known of ${field}.`)
  if ('oneOf' in domain) return domain.oneOf
  const { min, max, orNull } = domain
  const numbers = [min + 1, 42, 57].filter((n) => n >= min && n <= max)
  return orNull ? [...numbers, null] : numbers
}

/** Another value for every field that can have one together with the others. */
function allChanged(preset: PresetName): Options {
  const usual = new Map<string, unknown>(Object.entries(PRESETS[preset]))
  const options: Record<string, Value> = {}
  for (const field of FIELDS) {
    const value = valuesOf(field).find(
      (value) =>
        value !== usual.get(field) &&
        checkRules({ preset, options: { ...options, [field]: value } }).ok,
    )
    if (value !== undefined) options[field] = value
  }
  return options
}

/** So few presets that together they have every field. */
const ASKED: readonly PresetName[] = ['siguo', 'sanguo', 'flip']

test('every rule that the protocol knows is changed in one of the tables', () => {
  const changed = new Set(ASKED.flatMap((preset) => Object.keys(allChanged(preset))))
  expect([...changed].sort()).toEqual([...FIELDS].sort())
})

describeWithBrowser('the form of the rules', () => {
  const { arrive } = openHouse()

  test.each(ASKED)('every rule of %s that is changed reaches the server', async (preset) => {
    const host = await arrive()
    await host.nameItself('桌主')
    const changed = allChanged(preset)
    const asText = Object.entries(changed).map(([field, value]) => [field, String(value)])
    const link = await host.openTable(preset, Object.fromEntries(asText))
    const scoring = host.page.locator('[data-rule="scoring"] dd')
    expect(await scoring.textContent()).toBe('不计分：规则有改动')
    const response = await fetch(new URL(`/v1/rooms/${link.split('/').at(-1)}`, link))
    const room = await response.json()
    expect(room.rules.preset).toBe(preset)
    expect(room.rules.options).toEqual(changed)
  })
})

import type { JSX } from 'preact'
import { route } from '../app/location.ts'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'

/** Leads to how it is played; from a table in a new tab, for there a clock may run. */
export function HelpLink(): JSX.Element {
  const isAtTable = route.value.screen === 'table'
  return (
    <a
      class="help-link"
      href={formatRoute({ screen: 'help' })}
      target={isAtTable ? '_blank' : undefined}
      rel={isAtTable ? 'noopener' : undefined}
    >
      {words.value.help}
    </a>
  )
}

import type { JSX } from 'preact'
import { copyText } from '../app/clipboard.ts'
import { serverTime } from '../app/clock.ts'
import { linkTo } from '../app/location.ts'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import { isWaiting, quickPlay } from '../store/quick-play.ts'
import { session } from '../store/session.ts'
import { ActionButton } from './action-button.tsx'

/** What is waited for, with whom and since when; with the invitation while a partner is missing. */
export function Waiting(): JSX.Element | null {
  const { quick, presets } = words.value
  const status = quickPlay.value
  const now = session.value
  if (!isWaiting.value || status?.preset == null || now.state !== 'known') return null
  const { preset, code, partner, since, noBotFree } = status
  return (
    <section class="waiting-for" data-test="waiting">
      <p role="status">
        {code === null ? quick.waiting(presets[preset]) : quick.inviting(presets[preset])}
        {noBotFree && ` ${quick.noBotFree}`}
        {partner !== null && ` ${quick.together(partner.name)}`}
      </p>
      <Elapsed since={since} />
      {code !== null && (
        <>
          <code data-test="pair-code">{code}</code>
          <button
            type="button"
            onClick={() => copyText(linkTo({ screen: 'pair', code }))}
            data-test="copy-pair"
          >
            {quick.copyInvitation}
          </button>
        </>
      )}
      <ActionButton action={() => attempt(now.client.quickPlay.cancel())}>
        {quick.stop}
      </ActionButton>
    </section>
  )
}

function Elapsed({ since }: { readonly since: number | null }) {
  const now = serverTime.value
  if (since === null || now === null) return null
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span class="elapsed" role="timer" aria-label={words.value.quick.waited(seconds)}>
      {text}
    </span>
  )
}

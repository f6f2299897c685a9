import type { Client } from '@junqi/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { go } from '../app/location.ts'
import { useSubmit } from '../app/one-at-a-time.ts'
import { formatRoute } from '../app/route.ts'
import { words } from '../i18n/i18n.ts'
import { attempt } from '../store/notices.ts'
import { ActionButton } from './action-button.tsx'

interface Props {
  readonly client: Client
}

/** For who was told a code by word of mouth. */
export function PairForm({ client }: Props): JSX.Element {
  const { quick } = words.value
  const [code, setCode] = useState('')
  const submit = useSubmit(() => attempt(client.quickPlay.joinPair(code)))
  return (
    <form class="pair" onSubmit={submit}>
      <label for="pair-code">{quick.code}</label>
      <div class="line">
        <input
          id="pair-code"
          value={code}
          maxLength={20}
          autocomplete="off"
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit">{quick.joinPair}</button>
      </div>
    </form>
  )
}

interface InvitationProps extends Props {
  readonly code: string
}

/** Whoever opened the link of a partner says whether it wants to wait with it. */
export function PairInvitation({ client, code }: InvitationProps): JSX.Element {
  const { quick, home } = words.value
  const join = async (): Promise<void> => {
    const done = await attempt(client.quickPlay.joinPair(code))
    if (done !== null) go({ screen: 'home' })
  }
  return (
    <section class="card lost">
      <h1>{quick.invited}</h1>
      <p>{quick.invitedText}</p>
      <div class="actions">
        <ActionButton class="primary" data-test="join-pair" action={join}>
          {quick.joinPair}
        </ActionButton>
        <a class="button" href={formatRoute({ screen: 'home' })}>
          {home}
        </a>
      </div>
    </section>
  )
}

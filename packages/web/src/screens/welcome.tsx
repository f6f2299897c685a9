import type { Admission, Player } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSubmit } from '../app/one-at-a-time.ts'
import { words } from '../i18n/i18n.ts'
import { sentenceOf } from '../store/notices.ts'
import { enter } from '../store/session.ts'
import { HelpLink } from './help-link.tsx'
import { RecordFile } from './record-file.tsx'

interface Props {
  readonly admission: Admission
  /** Who sat here until the server knew it no longer; null: nobody. */
  readonly former: Player | null
}

/** What a stranger sees: how to come in, and nothing else. */
export function Welcome({ admission, former }: Props): JSX.Element {
  const { tagline, title, lobby } = words.value
  return (
    <section class="welcome">
      <div class="hero" aria-hidden="true">
        <span class="tile east">炸</span>
        <span class="tile south">司</span>
        <span class="tile north">旗</span>
        <span class="tile west">雷</span>
      </div>
      <h1>{title}</h1>
      <p class="tagline">{tagline}</p>
      {former !== null && (
        <p class="card" role="alert" data-test="forgotten">
          {lobby.forgotten(former.name)}
        </p>
      )}
      {admission.guests && <NameForm />}
      <SignIn admission={admission} />
      <p>
        <HelpLink />
      </p>
      <RecordFile />
    </section>
  )
}

/** Asks a guest for a name. */
function NameForm() {
  const { lobby } = words.value
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = useSubmit(async () => {
    const refused = await enter(name)
    setProblem(refused === null ? null : sentenceOf(refused))
  })
  return (
    <form class="card" onSubmit={submit}>
      <label for="name">{lobby.nameTitle}</label>
      <div class="line">
        <input
          id="name"
          name="name"
          value={name}
          maxLength={24}
          required
          autocomplete="nickname"
          placeholder={lobby.nameHint}
          aria-describedby="name-problem"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          {lobby.enter}
        </button>
      </div>
      <p id="name-problem" class="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

/** Leads to where the deployer's own players sign in. */
function SignIn({ admission: { guests, loginUrl } }: Pick<Props, 'admission'>) {
  const { lobby } = words.value
  if (guests && loginUrl === null) return null
  return (
    <div class="card" data-test="sign-in">
      {!guests && <p>{lobby.membersOnly}</p>}
      {loginUrl !== null && (
        <a class="button primary" href={loginUrl}>
          {lobby.signIn}
        </a>
      )}
    </div>
  )
}

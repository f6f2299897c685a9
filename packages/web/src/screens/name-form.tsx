import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../i18n/i18n.ts'
import { sentenceOf } from '../store/notices.ts'
import { enter } from '../store/session.ts'
import { RecordFile } from './record-file.tsx'

/** Asks a stranger for a name, and nothing else. */
export function NameForm(): JSX.Element {
  const { lobby, tagline, title } = words.value
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const refused = await enter(name)
    setProblem(refused === null ? null : sentenceOf(refused))
  }
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
      <RecordFile />
    </section>
  )
}

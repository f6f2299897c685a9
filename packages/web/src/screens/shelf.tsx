import { checkFormation, type Formation, readJql, writeJql } from '@junqi/engine'
import type { RoomView } from '@junqi/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { takeFile } from '../app/chosen-file.ts'
import { download } from '../app/download.ts'
import { FormationPicture } from '../deploy/formation-picture.tsx'
import { freeName } from '../deploy/free-name.ts'
import {
  dropFormation,
  keepFormation,
  keptFormations,
  loadFormations,
} from '../deploy/kept-formations.ts'
import { words } from '../i18n/i18n.ts'
import { notify } from '../store/notices.ts'

interface Props {
  readonly rules: RoomView['rules']
  readonly formation: Formation
  readonly onLoad: (formation: Formation) => void
}

/** Formations that the player keeps, the one it last handed in, and files of them. */
export function Shelf({ rules, formation, onLoad }: Props): JSX.Element {
  const { deploy } = words.value
  const kept = keptFormations.value
  useEffect(() => {
    loadFormations()
  }, [])
  const load = (wanted: Formation): void => {
    if (checkFormation(rules.ruleSet, wanted) === null) onLoad(wanted)
    else notify(deploy.notValid)
  }
  const last = kept?.last[rules.preset]
  return (
    <section class="shelf card" aria-label={deploy.load} data-test="shelf">
      <h2>{deploy.load}</h2>
      <div class="actions">
        {last !== undefined && (
          <button type="button" data-test="last-used" onClick={() => load(last)}>
            {deploy.lastUsed}
          </button>
        )}
        <Files formation={formation} onLoad={load} />
      </div>
      {kept?.formations.length === 0 && <p class="hint">{deploy.noSaved}</p>}
      <ul>
        {kept?.formations.map((each) => (
          <li key={each.name}>
            <button type="button" title={deploy.use} onClick={() => load(each.formation)}>
              <FormationPicture formation={each.formation} />
              <span>{each.name}</span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={`${deploy.delete}: ${each.name}`}
              onClick={() => dropFormation(each.name)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {kept !== null && (
        <Keep formation={formation} taken={kept.formations.map(({ name }) => name)} />
      )}
    </section>
  )
}

/** No `.jql` file comes near it. */
const MOST_BYTES = 10_000

/** null: it is no formation, or cannot be opened. */
async function formationIn(file: File): Promise<Formation | null> {
  if (file.size > MOST_BYTES) return null
  try {
    const read = readJql(new Uint8Array(await file.arrayBuffer()))
    return read.ok ? read.value : null
  } catch {
    return null
  }
}

function Files({ formation, onLoad }: Omit<Props, 'rules'>) {
  const { deploy } = words.value
  const importFile = async (file: File | null): Promise<void> => {
    if (file === null) return
    const formation = await formationIn(file)
    if (formation === null) notify(deploy.badFile)
    else onLoad(formation)
  }
  return (
    <>
      <label class="button">
        {deploy.importFile}
        <input
          type="file"
          accept=".jql"
          data-test="import"
          onChange={(event) => importFile(takeFile(event.currentTarget))}
        />
      </label>
      <button
        type="button"
        data-test="export"
        onClick={() => download('formation.jql', Uint8Array.from(writeJql(formation)))}
      >
        {deploy.exportFile}
      </button>
    </>
  )
}

interface KeepProps {
  readonly formation: Formation
  readonly taken: readonly string[]
}

/** Keeps what stands on the board; under a name that there is already it takes that one's place. */
function Keep({ formation, taken }: KeepProps) {
  const { deploy } = words.value
  const [name, setName] = useState('')
  const suggested = freeName(taken, deploy.name)
  const submit = (event: Event): void => {
    event.preventDefault()
    keepFormation(name.trim() || suggested, formation)
    setName('')
  }
  return (
    <form class="line" onSubmit={submit}>
      <input
        value={name}
        maxLength={24}
        autocomplete="off"
        placeholder={suggested}
        aria-label={deploy.saveAs}
        data-test="formation-name"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" data-test="keep">
        {taken.includes(name.trim()) ? deploy.replace : deploy.save}
      </button>
    </form>
  )
}

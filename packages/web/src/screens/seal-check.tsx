import type { Finding } from '@junqi/client'
import { assertNever, type GameRecord, isSeat } from '@junqi/engine'
import type { JSX } from 'preact'
import { useLoaded } from '../app/use-loaded.ts'
import { words } from '../i18n/i18n.ts'
import type { SealVerdict, Told } from './seal-verdict.ts'

interface Props {
  readonly record: GameRecord
  readonly told: Told
}

/** Says whether the game shown is the one that was played (R-SEAL-3), as this browser finds it out by itself. */
export function SealCheck({ record, told }: Props): JSX.Element {
  const { seal } = words.value
  const verdict = useLoaded(async (): Promise<SealVerdict | 'failed'> => {
    try {
      // What plays games and counts hashes is loaded when a game is over.
      return (await import('./seal-verdict.ts')).sealVerdict(record, told)
    } catch {
      return 'failed'
    }
  }, [record, told])
  if (verdict === null) return <p class="hint">{seal.checking}</p>
  if (verdict === 'failed') return <p class="hint">{seal.failed}</p>
  return (
    <div class={`seal-check ${verdict.type}`} data-test={`seal-${verdict.type}`}>
      {verdict.type === 'broken' ? (
        <div role="alert">
          <strong>{seal.broken}</strong>
          <ul>
            {verdict.findings.map((finding) => (
              <li key={finding.checked}>{flawOf(finding)}</li>
            ))}
            {verdict.toldOtherwise !== null && <li>{seal.toldOtherwise(verdict.toldOtherwise)}</li>}
          </ul>
        </div>
      ) : (
        <p>{seal[verdict.type]}</p>
      )}
      <details>
        <summary>{seal.how}</summary>
        <p>{seal.explanation}</p>
      </details>
    </div>
  )
}

function flawOf({ checked, flaw }: Finding): string {
  const { seal, seats } = words.value
  const what = isSeat(checked)
    ? seal.formationOf(seats[checked])
    : checked === 'layout'
      ? seal.layout
      : seal.first
  switch (flaw?.code) {
    case 'illegalAction':
      return seal.illegalAction(flaw.n)
    case 'otherResult':
      return seal.otherResult
    case 'notSealed':
      return seal.notSealed
    case 'otherThanTold':
      return seal.otherThanTold(what)
    case 'otherThanSealed':
    case undefined:
      return seal.otherThanSealed(what)
    default:
      return assertNever(flaw)
  }
}

import { formatRecord, type GameRecord, writeJgs } from '@junqi/engine'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { copyText } from '../app/clipboard.ts'
import { download } from '../app/download.ts'
import { words } from '../i18n/i18n.ts'
import { type GameAddress, gamesWith, parseRoom, replayLink } from '../store/games.ts'
import { attempt } from '../store/notices.ts'
import { ActionButton } from './action-button.tsx'

type Props = GameAddress & { readonly record: GameRecord }

/** Takes a finished game away: as a file of either kind, or as a link for others. */
export function RecordActions({ room, share, record }: Props): JSX.Element {
  const { after, errors } = words.value
  // The server's file has the players' names as well; what it can tell of the game is the same.
  const fitsJgs = useMemo(() => writeJgs(record).ok, [record])
  const downloadJgs = async (): Promise<void> => {
    const id = parseRoom(room)
    const bytes = id === null ? null : await attempt(gamesWith(share).jgs(id))
    if (bytes !== null) download(`junqi-${room}.jgs`, Uint8Array.from(bytes))
  }
  return (
    <>
      <button
        type="button"
        data-test="share"
        onClick={async () => copyText(await replayLink({ room, share }))}
      >
        {after.share}
      </button>
      <button
        type="button"
        data-test="download"
        onClick={() => download(`junqi-${room}.json`, formatRecord(record))}
      >
        {after.download}
      </button>
      <ActionButton
        data-test="download-jgs"
        disabled={!fitsJgs}
        aria-describedby={fitsJgs ? undefined : 'no-jgs'}
        action={downloadJgs}
      >
        {after.downloadJgs}
      </ActionButton>
      {!fitsJgs && (
        <small id="no-jgs" class="hint">
          {errors.not_in_jgs}
        </small>
      )}
    </>
  )
}

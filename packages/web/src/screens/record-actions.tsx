import { formatRecord, type GameRecord } from '@junqi/engine'
import type { JSX } from 'preact'
import { copyText } from '../app/clipboard.ts'
import { download } from '../app/download.ts'
import { words } from '../i18n/i18n.ts'
import { type GameAddress, gamesWith, parseRoom, replayLink } from '../store/games.ts'
import { attempt } from '../store/notices.ts'

type Props = GameAddress & { readonly record: GameRecord }

/** Takes a finished game away: as a file of either kind, or as a link for others. */
export function RecordActions({ room, share, record }: Props): JSX.Element {
  const { after } = words.value
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
      <button type="button" data-test="download-jgs" onClick={downloadJgs}>
        {after.downloadJgs}
      </button>
    </>
  )
}

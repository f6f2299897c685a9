import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { takeFile } from '../app/chosen-file.ts'
import { go } from '../app/location.ts'
import { words } from '../i18n/i18n.ts'

/** The file that is to be looked at in the replay viewer: it stays in this browser. */
export const openedFile = signal<File | null>(null)

export function RecordFile(): JSX.Element {
  const { lobby } = words.value
  return (
    <label class="file">
      <span>{lobby.replayFile}</span>
      <input
        type="file"
        accept=".jgs,.json"
        data-test="record-file"
        onChange={(event) => {
          const file = takeFile(event.currentTarget)
          if (file === null) return
          openedFile.value = file
          go({ screen: 'file' })
        }}
      />
      <small>{lobby.replayHint}</small>
    </label>
  )
}

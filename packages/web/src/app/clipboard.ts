import { words } from '../i18n/i18n.ts'
import { notify } from '../store/notices.ts'

/** Puts a text on the clipboard and says so; where the browser has none for the page, the text itself is shown. */
export async function copyText(text: string): Promise<void> {
  const isCopied = (await isWritten(text)) || isWrittenOldWay(text)
  notify(isCopied ? words.value.copied : text)
}

async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Without TLS a page is given no clipboard, but what is selected in it can be copied. */
function isWrittenOldWay(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  return isDone
}

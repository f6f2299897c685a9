import type { Answer } from './routes.ts'
import { BYTES_TYPE } from './server.ts'

/** A file to be kept: its name in ASCII for those who know no other, and as it is (RFC 6266). */
export function fileAnswer(name: string, bytes: Uint8Array): Answer {
  const plain = name.replaceAll(/[^A-Za-z0-9. _-]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
  return {
    status: 200,
    headers: { 'content-type': BYTES_TYPE, 'content-disposition': disposition },
    body: Buffer.from(bytes),
  }
}

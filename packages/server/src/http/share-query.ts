import { type ShareQuery, shareToken } from '@junqi/protocol'

/** The share that was sent; null: none. One in another form opens nothing, and says so no more than a wrong one. */
export function shareIn({ share }: ShareQuery): string | null {
  const parsed = shareToken.safeParse(share)
  return parsed.success ? parsed.data : null
}

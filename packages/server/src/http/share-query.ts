import { shareToken } from '@junqi/protocol'
import { z } from 'zod'

/** What may be asked of one game: as whoever has its share. */
export const shareQuery = z.strictObject({ share: z.string().optional() })
export type ShareQuery = z.infer<typeof shareQuery>

/** One in another form opens nothing, and says so no more than a wrong one. */
export function shareIn({ share }: ShareQuery): string | null {
  const parsed = shareToken.safeParse(share)
  return parsed.success ? parsed.data : null
}

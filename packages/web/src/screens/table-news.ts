import type { PlayerId, RoomView, ViewedEvent } from '@junqi/protocol'

/** What happened at a table that one does not see by looking at it. */
export type TableNews = 'removed' | 'becameHost' | 'rulesChanged'

/** What `me` is to be told of what happened before a game; `host` is who changes the rules, and knows that it did. */
export function tableNews(
  events: readonly ViewedEvent[],
  { host }: Pick<RoomView, 'host'>,
  me: PlayerId,
): readonly TableNews[] {
  return events.flatMap((event): TableNews | [] => {
    switch (event.type) {
      case 'seatVacated':
        return event.player === me && event.reason === 'removed' ? 'removed' : []
      case 'hostChanged':
        return event.player === me ? 'becameHost' : []
      case 'rulesChanged':
        return host === me ? [] : 'rulesChanged'
      default:
        return []
    }
  })
}

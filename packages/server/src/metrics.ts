import type { ErrorCode } from '@junqi/protocol'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** What the sockets count; plain numbers, since they change with every message. */
export interface Traffic {
  messagesReceived: number
  framesSent: number
  connectionsAccepted: number
  /** Handshakes refused before the 101. */
  readonly handshakesRefused: Map<ErrorCode, number>
  /** Messages refused by the connection itself: malformed, too many, too early. */
  readonly messagesRefused: Map<ErrorCode, number>
  /** Connections that the server ended, by reason. */
  readonly connectionsEnded: Map<string, number>
}

export function makeTraffic(): Traffic {
  return {
    messagesReceived: 0,
    framesSent: 0,
    connectionsAccepted: 0,
    handshakesRefused: new Map(),
    messagesRefused: new Map(),
    connectionsEnded: new Map(),
  }
}

export function countOne<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/**
 * Prometheus metrics, `junqi_*`. Their labels are codes and reasons: never a room, a player, or anything that depends on
 * what is hidden on a board (F-H10).
 */
export function makeMetrics(traffic: Traffic, connections: () => number): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'junqi_' })
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  const totals = (
    name: string,
    { help, label, read }: { help: string; label: string; read: ReadonlyMap<string, number> },
  ) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const [key, count] of read) this.inc({ [label]: key }, count)
      },
    })
  new Gauge({
    name: 'junqi_connections',
    help: 'WebSocket connections open now.',
    registers: [registry],
    collect() {
      this.set(connections())
    },
  })
  total(
    'junqi_connections_accepted_total',
    'Handshakes answered with 101.',
    () => traffic.connectionsAccepted,
  )
  total('junqi_messages_received_total', 'Messages from clients.', () => traffic.messagesReceived)
  total('junqi_frames_sent_total', 'Frames to clients.', () => traffic.framesSent)
  totals('junqi_handshakes_refused_total', {
    help: 'Handshakes refused, by error code.',
    label: 'code',
    read: traffic.handshakesRefused,
  })
  totals('junqi_messages_refused_total', {
    help: 'Messages refused before they reached a room, by error code.',
    label: 'code',
    read: traffic.messagesRefused,
  })
  totals('junqi_connections_ended_total', {
    help: 'Connections that the server ended, by reason.',
    label: 'reason',
    read: traffic.connectionsEnded,
  })
  return registry
}

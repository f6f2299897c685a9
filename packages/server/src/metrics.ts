import type { ErrorCode } from '@junqi/protocol'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RoomObserver } from './room/observer.ts'

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
export function makeMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'junqi_' })
  return registry
}

/** Seconds: from what a disk or a store in the same room needs, to what it needs when something is wrong. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures the rooms' work. */
export function meterRooms(registry: Registry): RoomObserver {
  const seconds = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: SECONDS, registers: [registry] })
  const counter = (name: string, help: string): Counter =>
    new Counter({ name, help, registers: [registry] })
  const ofConsumer = (name: string, help: string): Counter<'consumer'> =>
    new Counter({ name, help, labelNames: ['consumer'], registers: [registry] })
  const appends = seconds('junqi_append_seconds', 'From an entry to the answer of the store.')
  const commands = seconds('junqi_command_seconds', 'From a command to its answer.')
  const lag = seconds('junqi_sweep_lag_seconds', 'From a deadline to what was due then.')
  const conflicts = counter('junqi_conflicts_total', 'Entries that another node was faster with.')
  const resyncs = counter(
    'junqi_resyncs_total',
    'Rooms of which the store had lost something, so that their viewers started over.',
  )
  const unanswered = counter(
    'junqi_store_timeouts_total',
    'Questions of rooms that the store did not answer, or not in time.',
  )
  const handedOn = ofConsumer('junqi_outbox_taken_total', 'Ends of games taken, by consumer.')
  const notHandedOn = ofConsumer(
    'junqi_outbox_failures_total',
    'Ends of games that could not be taken and are tried again, by consumer.',
  )
  const waiting = new Gauge({
    name: 'junqi_outbox_waiting',
    help: 'Ends of games that are still to be handed on, at the last look.',
    registers: [registry],
  })
  return {
    appending: () => startTimer(appends),
    commanded: () => startTimer(commands),
    swept: (lagMs) => lag.observe(lagMs / 1000),
    conflicted: () => conflicts.inc(),
    resynced: () => resyncs.inc(),
    unanswered: () => unanswered.inc(),
    handedOn: (consumer) => handedOn.inc({ consumer }),
    notHandedOn: (consumer) => notHandedOn.inc({ consumer }),
    endsWaiting: (count) => waiting.set(count),
  }
}

function startTimer(histogram: Histogram): () => void {
  const start = performance.now()
  return () => histogram.observe((performance.now() - start) / 1000)
}

/** Shows whether the server can be used, and what it has in hand. */
export function meterServing(
  registry: Registry,
  serving: { readonly isReady: () => Promise<boolean>; readonly rooms: () => number },
): void {
  new Gauge({
    name: 'junqi_ready',
    help: '1: new players may be sent here. 0: it is stopping, or its store does not answer.',
    registers: [registry],
    async collect() {
      this.set((await serving.isReady()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'junqi_rooms',
    help: 'Rooms in memory.',
    registers: [registry],
    collect() {
      this.set(serving.rooms())
    },
  })
}

/** Shows what the sockets count. */
export function meterTraffic(
  registry: Registry,
  traffic: Traffic,
  connections: () => number,
): void {
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
}

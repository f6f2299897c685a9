import { type Client, connect, createGuest, type RoomHandle } from '@junqi/client'
import { PRESETS, type PresetName, type Rules, randomFormation } from '@junqi/engine'
import type { Guest, RoomId } from '@junqi/protocol'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Visitor } from './browser.ts'

/** A player without a page. */
export interface PlainGuest extends Guest {
  readonly client: Client
}

/** A guest who is gone after the test. */
export async function makeGuest(url: string, name: string): Promise<PlainGuest> {
  const made = await createGuest(url, name)
  if (!made.ok) throw new Error(made.error.message)
  const client = connect({ url, token: made.value.token, clientName: 'test', WebSocket })
  onTestFinished(() => client.close())
  return { ...made.value, client }
}

/** The visitor is this guest from the next load of its page on. */
export async function becomeGuest({ context, page }: Visitor, { token }: Guest): Promise<void> {
  const { origin } = new URL(page.url())
  await context.addCookies([{ name: 'junqi_token', value: token, url: origin }])
  await page.reload()
  await page.waitForSelector('.top .me', { state: 'attached' })
}

interface Wish {
  readonly preset: PresetName
  readonly options?: Rules['options']
  readonly isPrivate?: boolean
}

/** All of them sit, ready, at a table of the first one's. */
export async function seatAll(guests: readonly PlainGuest[], wish: Wish): Promise<RoomId> {
  const { preset, options = {}, isPrivate = false } = wish
  const [host] = guests
  if (host === undefined) throw new Error('nobody plays')
  const { room } = await done(host.client.createRoom({ preset, options, private: isPrivate }))
  if (room === null) throw new Error('no room')
  const { view } = await done(host.client.room(room).opened())
  for (const [i, { client }] of guests.entries()) {
    const seat = PRESETS[preset].seats[i]
    if (seat === undefined) throw new Error('too many play')
    const { invitation } = view
    const handle = client.room(room, invitation === null ? {} : { invitation })
    await done(handle.sit(seat))
    await done(handle.ready())
  }
  return room
}

/** They sit down, deploy and are in play. */
export async function startGame(guests: readonly PlainGuest[], wish: Wish): Promise<RoomId> {
  const room = await seatAll(guests, wish)
  const handles = guests.map(({ client }) => client.room(room))
  await done(handles[0]?.start() ?? Promise.reject(new Error('nobody plays')))
  if (handles[0]?.view?.phase !== 'deployment') return room
  const formation = randomFormation(PRESETS[wish.preset], Math.random)
  for (const handle of handles) await done(handle.submitFormation(formation))
  return room
}

/** They play a flip game that ends as soon as it has begun: whoever is to move resigns. */
export async function playFlip(
  guests: readonly [PlainGuest, PlainGuest],
  wish: Omit<Wish, 'preset'> = {},
): Promise<RoomId> {
  const room = await startGame(guests, { preset: 'flip', ...wish })
  const handles = guests.map(({ client }) => client.room(room))
  const [first, second] = handles
  const toMove = first?.view?.game?.toMove === 'south' ? first : second
  await done(toMove?.resign() ?? Promise.reject(new Error('nobody plays')))
  return room
}

/** The first of them offers a draw, and all agree. */
export async function agreeOnDraw([first, ...others]: readonly RoomHandle[]): Promise<void> {
  await done(first?.offerDraw() ?? Promise.reject(new Error('nobody plays')))
  const offer = first?.view?.game?.offer?.number ?? 0
  for (const handle of others) await done(handle.answerDraw(offer, true))
}

/** What was asked for, which must not be refused. */
export async function done<T>(
  asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; error: object }>,
): Promise<T> {
  const result = await asked
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

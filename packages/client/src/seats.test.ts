import { roomId } from '@junqi/protocol'
import { expect, test } from 'vitest'
import { Seats } from './seats.ts'

const ROOMS = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map((id) => roomId.parse(id))
const [A, B, C] = ROOMS as [(typeof ROOMS)[0], (typeof ROOMS)[0], (typeof ROOMS)[0]]

function setUp() {
  const seats = new Seats()
  const heard: string[] = []
  const stop = seats.listen((room) => heard.push(room))
  return { seats, heard, stop }
}

test('nothing is known before the server has told it', () => {
  expect(setUp().seats.rooms).toBeNull()
})

test('each seat is told once: those at the welcome, then each new one', () => {
  const { seats, heard } = setUp()
  seats.receive({ type: 'seats', rooms: [A, B] })
  seats.receive({ type: 'seated', room: C })
  // After a reconnect, and when the server repeats itself.
  seats.receive({ type: 'seats', rooms: [B, C] })
  expect(heard).toEqual([A, B, C])
  expect([...(seats.rooms ?? [])]).toEqual([B, C])
})

test('a seat that was lost and given again is told again', () => {
  const { seats, heard } = setUp()
  seats.receive({ type: 'seated', room: A })
  seats.receive({ type: 'seated', room: A })
  expect(heard).toEqual([A, A])
})

test('who listens later hears of what is known, and nothing after it has ended that', () => {
  const { seats, heard, stop } = setUp()
  seats.receive({ type: 'seats', rooms: [A] })
  const late: string[] = []
  seats.listen((room) => late.push(room))
  expect(late).toEqual([A])
  stop()
  seats.receive({ type: 'seated', room: B })
  expect([heard, late]).toEqual([[A], [A, B]])
})

test('what a watched room shows is noted, and nobody is told anew', () => {
  const { seats, heard } = setUp()
  seats.note(C, { isSeated: true })
  expect(seats.rooms).toBeNull()
  seats.receive({ type: 'seats', rooms: [A, B] })
  seats.note(A, { isSeated: false })
  seats.note(C, { isSeated: false })
  expect([...(seats.rooms ?? [])]).toEqual([B])
  seats.note(A, { isSeated: true })
  expect([...(seats.rooms ?? [])]).toEqual([B, A])
  expect(heard).toEqual([A, B])
})

import { signal } from '@preact/signals'
import { readSetting, writeSetting } from '../store/settings.ts'

/** What can be heard. */
export type Sound = 'move' | 'attack' | 'turn' | 'end'

export const isSoundOn = signal(readSetting('sound') !== 'off')

export function toggleSound(): void {
  isSoundOn.value = !isSoundOn.value
  writeSetting('sound', isSoundOn.value ? 'on' : 'off')
}

/** Pitches in Hz, one after another, and how long each is heard in seconds. */
const TUNES: Readonly<
  Record<Sound, { readonly pitches: readonly number[]; readonly each: number }>
> = {
  move: { pitches: [330], each: 0.07 },
  attack: { pitches: [196, 131], each: 0.1 },
  turn: { pitches: [523, 659], each: 0.11 },
  end: { pitches: [392, 523, 659, 784], each: 0.16 },
}

let context: AudioContext | null = null

/** Plays a sound, made on the spot: the page loads none. */
export function play(sound: Sound): void {
  if (!isSoundOn.value || !navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  const { pitches, each } = TUNES[sound]
  for (const [i, pitch] of pitches.entries()) tone(context, pitch, { at: i * each, long: each })
}

function tone(
  audio: AudioContext,
  pitch: number,
  { at, long }: { readonly at: number; readonly long: number },
): void {
  const start = audio.currentTime + at
  const oscillator = new OscillatorNode(audio, { type: 'triangle', frequency: pitch })
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(0.12, start)
  gain.gain.exponentialRampToValueAtTime(0.001, start + long * 1.6)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + long * 1.7)
}

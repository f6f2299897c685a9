import { formationsOf, type Refusal } from '@junqi/client'
import type { Formation, Result } from '@junqi/engine'
import type { KeptFormations } from '@junqi/protocol'
import { signal } from '@preact/signals'
import { attempt } from '../store/notices.ts'
import { httpAccess } from '../store/session.ts'

/** The player's own formations on the server, and what it last handed in; null: not told yet. */
export const keptFormations = signal<KeptFormations | null>(null)

/** Asks the server for them. */
export async function loadFormations(): Promise<void> {
  const told = await attempt(formationsOf(httpAccess()).list())
  if (told !== null) keptFormations.value = told
}

/** Keeps a formation, in place of another of that name. */
export const keepFormation = (name: string, formation: Formation): Promise<void> =>
  change(formationsOf(httpAccess()).put(name, formation))

export const dropFormation = (name: string): Promise<void> =>
  change(formationsOf(httpAccess()).remove(name))

async function change(asked: Promise<Result<unknown, Refusal>>): Promise<void> {
  await attempt(asked)
  await loadFormations()
}

import type { Refusal } from '@junqi/client'
import { err, type GameRecord, ok, type Result } from '@junqi/engine'
import { useLoaded } from '../app/use-loaded.ts'
import { type GameAddress, gamesWith, parseRoom } from '../store/games.ts'
import { type FileProblem, readRecordFile } from './replay-frames.ts'
import { shownRecord } from './shown-record.ts'

/** The record of a game on the server, or of the one that was just looked at; null: on its way. */
export const useGame = ({ room, share }: GameAddress): Result<GameRecord, Refusal | null> | null =>
  useLoaded(async () => {
    const known = shownRecord.value
    if (known?.room === room) return ok(known.record)
    const id = parseRoom(room)
    return id === null ? err(null) : gamesWith(share).record(id)
  }, [room, share])

/** The record in a file, or what is wrong with that (null: there is no file); null: on its way. */
export const useFile = (file: File | null): Result<GameRecord, FileProblem | null> | null =>
  useLoaded(async () => (file === null ? err(null) : readRecordFile(file)), [file])

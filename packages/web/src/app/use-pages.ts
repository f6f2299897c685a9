import type { Result } from '@junqi/engine'
import { useEffect, useState } from 'preact/hooks'

interface Page {
  /** Where the next one begins; null: this is the last. */
  readonly next: string | null
}

interface Pages<One, Problem> {
  /** What has come; none, and no problem: the first is on its way. */
  readonly pages: readonly One[]
  /** Why no more came; null: it did. */
  readonly problem: Problem | null
  /** Fetches one more; null: there are no more. */
  readonly more: (() => void) | null
}

/** A list that comes page by page. */
export function usePages<One extends Page, Problem>(
  load: (cursor: string | null) => Promise<Result<One, Problem>>,
): Pages<One, Problem> {
  const [pages, setPages] = useState<readonly One[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  const fetchFrom = async (cursor: string | null): Promise<void> => {
    const told = await load(cursor)
    setProblem(told.ok ? null : told.error)
    if (!told.ok) return
    // Asked for twice, it is shown once.
    setPages((before) => (nextOf(before) === cursor ? [...before, told.value] : before))
  }
  useEffect(() => {
    fetchFrom(null)
  }, [])
  const next = nextOf(pages)
  return { pages, problem, more: next === null ? null : () => fetchFrom(next) }
}

const nextOf = (pages: readonly Page[]): string | null => pages.at(-1)?.next ?? null

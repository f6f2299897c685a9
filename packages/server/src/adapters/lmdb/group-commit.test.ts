import { afterEach, describe, expect, test, vi } from 'vitest'
import { LogDamagedError, StoreUnavailableError } from '../../ports.ts'
import { GroupCommit } from './group-commit.ts'

interface Commit {
  readonly batch: readonly string[]
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

/** Commits that a test ends one by one; a batch is the list of what its jobs wrote. */
function setUp() {
  const commits: Commit[] = []
  const seen: string[] = []
  const group = new GroupCommit<string[]>({
    begin: () => [],
    commit: (batch) => new Promise<void>((succeed, fail) => commits.push({ batch, succeed, fail })),
    committed: (batch) => seen.push(`committed ${batch.join()}`),
    failed: () => seen.push('failed'),
  })
  const submit = (text: string): Promise<string> =>
    group.submit((batch) => {
      batch.push(text)
      return `${text} of ${batch.length}`
    })
  /** The commit that is under way, once it is. */
  const commit = (): Promise<Commit> =>
    vi.waitFor(() => {
      const last = commits.pop()
      if (last === undefined) throw new Error('no commit is under way')
      return last
    })
  return { group, submit, commit, commits, seen }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('jobs', () => {
  test('that come in one turn share a commit, in their order', async () => {
    const { submit, commit } = setUp()
    const answers = ['a', 'b', 'c'].map(submit)
    const { batch, succeed } = await commit()
    expect(batch).toEqual(['a', 'b', 'c'])
    succeed()
    expect(await Promise.all(answers)).toEqual(['a of 1', 'b of 2', 'c of 3'])
  })

  test('that meet a damaged log are told so, and nobody else is', async () => {
    const { group, submit, commit } = setUp()
    const damaged = expect(
      group.submit(() => {
        throw new LogDamagedError('planted')
      }),
    ).rejects.toThrow(LogDamagedError)
    const other = submit('a')
    const { succeed } = await commit()
    succeed()
    await damaged
    expect(await other).toBe('a of 1')
  })

  test('are answered after the commit, and what it changed is known before', async () => {
    const { submit, commit, seen } = setUp()
    const answer = submit('a').then(() => seen.push('answered'))
    const { succeed } = await commit()
    expect(seen).toEqual([])
    succeed()
    await answer
    expect(seen).toEqual(['committed a', 'answered'])
  })

  test('that come during a commit run when it is over, all in the next one', async () => {
    const { submit, commit, commits } = setUp()
    const first = submit('a')
    const one = await commit()
    const others = [submit('b'), submit('c')]
    await new Promise((resolve) => setImmediate(resolve))
    expect(commits).toEqual([])
    one.succeed()
    await first
    const two = await commit()
    expect(two.batch).toEqual(['b', 'c'])
    two.succeed()
    await Promise.all(others)
  })

  test('that throw are refused alone', async () => {
    const { group, submit, commit } = setUp()
    const bad = group.submit(() => {
      throw new Error('a damaged record')
    })
    const good = submit('a')
    await expect(bad).rejects.toThrow(StoreUnavailableError)
    const { succeed } = await commit()
    succeed()
    expect(await good).toBe('a of 1')
  })
})

describe('a commit that fails', () => {
  test('refuses all its jobs, and the next one goes on', async () => {
    const { submit, commit, seen } = setUp()
    const answers = Promise.allSettled([submit('a'), submit('b')])
    const disk = new Error('ENOSPC')
    const one = await commit()
    one.fail(disk)
    for (const answer of await answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { cause: disk } })
    }
    expect(seen).toEqual(['failed'])
    const next = submit('c')
    const two = await commit()
    two.succeed()
    expect(await next).toBe('c of 1')
  })
})

describe('F-C2: a commit that does not come to an end', () => {
  test('refuses its jobs, those that wait and those that come, until it does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { group, submit, commits, seen } = setUp()
    const first = Promise.allSettled([submit('a')])
    while (commits.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const waiting = Promise.allSettled([submit('b')])
    vi.advanceTimersByTime(10_000)
    expect([...(await first), ...(await waiting)].map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    expect(seen).toEqual(['failed'])
    await expect(submit('c')).rejects.toThrow(StoreUnavailableError)
    commits.pop()?.succeed()
    await vi.waitFor(() => expect(seen).toEqual(['failed', 'committed a']))
    const next = submit('d')
    while (commits.length === 0) await new Promise((resolve) => setImmediate(resolve))
    commits.pop()?.succeed()
    expect(await next).toBe('d of 1')
    expect(await group.close()).toBe(true)
  })

  test('does not keep the store from closing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { group, submit, commits } = setUp()
    const answer = Promise.allSettled([submit('a')])
    while (commits.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const closed = group.close()
    vi.advanceTimersByTime(10_000)
    await answer
    expect(await closed).toBe(false)
  })
})

test('closing waits for every answer and takes no more jobs', async () => {
  const { group, submit, commit } = setUp()
  const answer = submit('a')
  const closed = group.close()
  const { succeed } = await commit()
  succeed()
  expect(await answer).toBe('a of 1')
  expect(await closed).toBe(true)
  await expect(submit('b')).rejects.toThrow(StoreUnavailableError)
})

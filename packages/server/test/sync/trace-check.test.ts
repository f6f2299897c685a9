import { describe, expect, test } from 'vitest'
import { checkTrace, type TraceRules } from './trace-check.ts'

const rules: TraceRules = {
  dataFile: '/data.mdb',
  written: (text) => text.match(/mark-\d+/g) ?? [],
  sent: (text) => text.match(/mark-\d+/g) ?? [],
}

const open = '7 openat(AT_FDCWD</x>, "/x/data.mdb", O_WRONLY|O_DSYNC|O_CLOEXEC) = 9</x/data.mdb>'
const page = '8 pwrite64(8</x/data.mdb>, "\\0\\1 mark-1 \\"{", 4096, 12288) = 4096'
const pages =
  '8 writev(8</x/data.mdb>, [{iov_base="a", iov_len=1}, {iov_base="mark-1", iov_len=6}], 2) = 7'
const sync = '8 fdatasync(8</x/data.mdb>)     = 0'
const meta = '8 pwrite64(9</x/data.mdb>, "\\0\\2", 144, 4120) = 144'
const plainMeta = '8 pwrite64(8</x/data.mdb>, "\\0\\2", 144, 4120) = 144'
const send = '7 write(25<socket:[881]>, "mark-1 appended\\n", 16) = 16'
const begun = (line: string): string => line.replace(/\) += .*$/, ' <unfinished ...>')
const ended = (name: string, result = '0', thread = 8): string =>
  `${thread} <... ${name} resumed>) = ${result}`

const check = (...lines: string[]): readonly string[] =>
  checkTrace(lines.join('\n'), rules).violations

describe('a trace is good', () => {
  test.each<[string, string[]]>([
    ['page, sync, meta page through O_DSYNC, answer', [open, page, sync, meta, send]],
    ['several pages in one call', [open, pages, sync, meta, send]],
    [
      'a meta page that a second sync brings to the disk',
      [open, page, sync, plainMeta, sync, send],
    ],
    [
      'calls in two parts',
      [
        open,
        begun(page),
        ended('pwrite64', '4096'),
        begun(sync),
        ended('fdatasync'),
        begun(meta),
        ended('pwrite64', '144'),
        begun(send),
        ended('write', '16', 7),
      ],
    ],
    ['msync in place of fdatasync', [open, page, sync.replace('fdatasync', 'msync'), meta, send]],
    ['an answer that is sent twice', [open, page, sync, meta, send, send]],
    ['a page that is written again later', [open, page, sync, meta, page, send]],
  ])('%s', (_, lines) => {
    expect(check(...lines)).toEqual([])
    expect(checkTrace(lines.join('\n'), rules).sent).toBe(1)
  })
})

describe('a trace is bad when the answer leaves', () => {
  test.each<[string, string[]]>([
    ['and nothing was written', [open, send]],
    ['before the page is written', [open, send, page, sync, meta]],
    ['before the sync', [open, page, meta, send, sync]],
    ['while the sync runs', [open, page, begun(sync), send, ended('fdatasync'), meta]],
    ['before the meta page', [open, page, sync, send, meta]],
    [
      'while the meta page is written',
      [open, page, sync, begun(meta), send, ended('pwrite64', '144')],
    ],
    ['with a meta page that nothing syncs', [open, page, sync, plainMeta, send]],
    [
      'after a sync that began before the page was written',
      [open, begun(sync), page, ended('fdatasync'), meta, send],
    ],
    [
      'after a meta page that began before the sync was over',
      [open, page, begun(meta).replace('8 ', '6 '), sync, ended('pwrite64', '144', 6), send],
    ],
    [
      'after a sync that failed',
      [open, page, sync.replace('= 0', '= -1 EIO (Input/output error)'), meta, send],
    ],
    [
      'after a page that was not written',
      [open, page.replace('= 4096', '= -1 ENOSPC (No space left on device)'), sync, meta, send],
    ],
    ['after the sync of another file', [open, page, sync.replace('data.mdb', 'other'), meta, send]],
    [
      'with a meta page through a descriptor that syncs no more',
      [open, '7 close(9</x/data.mdb>) = 0', page, sync, meta, send],
    ],
    ['without any sync', [page, plainMeta, send]],
    [
      'through writev',
      [
        open,
        page,
        '7 writev(25<TCP:[127.0.0.1:1->127.0.0.1:2]>, [{iov_base="\\201\\7", iov_len=2}, {iov_base="mark-1", iov_len=6}], 2) = 8',
      ],
    ],
  ])('%s', (_, lines) => {
    expect(check(...lines)).toEqual(['mark-1'])
  })
})

test('one mark that is safe does not vouch for another', () => {
  const other = page.replace('mark-1', 'mark-2')
  const sendOther = send.replace('mark-1', 'mark-2')
  expect(check(open, page, sync, other, meta, send, sendOther)).toEqual(['mark-2'])
})

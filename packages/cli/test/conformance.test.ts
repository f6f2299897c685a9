import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { testWithWebSockets } from '../../../test/support/with-python.ts'
import { runCli } from './run-cli.ts'

const CLIENT = fileURLToPath(new URL('./clients/steady.py', import.meta.url))
/** The program of docs/write-a-client.md. */
const OWN_TABLE = fileURLToPath(new URL('../../../docs/duel-client.py', import.meta.url))

/** Those in which no turn has to run out. */
const QUICK = 'duel duplicates gap unknown retryable restart refused resumed unanswered'.split(' ')

const conformance = (command: string, ...options: readonly string[]) =>
  runCli(['conformance', '--client', command, ...options])

describe.concurrent('junqi conformance', () => {
  testWithWebSockets('passes a client that copes with it', async (python) => {
    const only = QUICK.flatMap((check) => ['--only', check])
    const { code, stdout, stderr } = await conformance(`${python} ${CLIENT}`, ...only)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.pop()).toBe('9 of 9 checks passed.')
    expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(
      QUICK.map((check) => `pass  ${check}`),
    )
  })

  /** One that waits for ever is not given as long as others. */
  const hasty = (check: string) => (check === 'resumed' ? ['--patience', '10'] : [])
  const WRONG: readonly (readonly [wrong: string, check: string, sentence: RegExp])[] = [
    ['hello', 'duel', /-> Its first message on a connection was subscribe; that is hello\./],
    ['gap', 'gap', /-> It subscribed without since after the gap; the last version .* was \d+\./],
    ['retryable', 'retryable', /-> It made two moves for turn 0, under the ids/],
    ['refused', 'refused', /-> It ended with code 1 before its time\. .* two handshakes that were/],
    ['unanswered', 'unanswered', /-> It made two moves for turn 2, under the ids/],
    [
      'resumed',
      'resumed',
      /-> It made no move for turn 2 after it came back, .* subscribe without since\. \(It did nothing for 10 seconds\.\)/,
    ],
  ]
  testWithWebSockets('says what a client does wrong', async (python) => {
    const runs = WRONG.map(([wrong, check]) =>
      conformance(`WRONG=${wrong} ${python} ${CLIENT}`, '--only', check, ...hasty(check)),
    )
    for (const [n, [wrong, check, sentence]] of WRONG.entries()) {
      const { code, stdout } = (await runs[n]) ?? {}
      expect([wrong, code, stdout]).toEqual([wrong, 1, expect.stringMatching(sentence)])
      expect(stdout).toContain(`FAIL  ${check}: `)
      expect(stdout).toContain('0 of 1 checks passed.')
    }
  })
})

test('a client that cannot be run fails, with what the shell says', async () => {
  const { code, stdout } = await conformance('no-such-client {room}', '--only', 'duel')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /-> It ended with code 127 before its time\. It made no guest: .*\n +\| .*no-such-client/,
  )
})

const ASKS = `fetch(process.env.JUNQI_SERVER + '/v1/nothing?really')`
test.each([
  [
    'false',
    /-> It ended with code 1 before its time\. It made no guest: .* \$JUNQI_SERVER \(http:/,
  ],
  [
    `${process.execPath} -e "${ASKS}"`,
    /-> It ended with code 0 before its time\. It opened no WebSocket at .* GET \/v1\/nothing, answered with 404\./,
  ],
  ['kill -9 $$', /-> It was ended by SIGKILL before its time\. It made no guest: /],
])(
  'a client that does not begin fails by the first thing that it left undone: %s',
  async (command, sentence) => {
    const { code, stdout } = await conformance(command, '--only', 'missed')
    expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)])
  },
)

testWithWebSockets(
  'a client that makes a table of its own is told where to sit',
  async (python) => {
    const { code, stdout } = await conformance(`${python} ${OWN_TABLE} {server}`, '--only', 'duel')
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /-> It asked for a game of its own \(createRoom\): .* in \$JUNQI_ROOM /,
      ),
    ])
  },
)

test.each([
  [[], /--client is given once/],
  [['--client', 'a', '--client', 'b'], /--client is given once/],
  [['--client', 'a', '--only', 'speed'], /there is no check speed; there are duel, duplicates, /],
  [['--client', 'a', '--patience', 'long'], /--patience is a whole number of seconds/],
])('a wrong command line is refused: %j', async (args, sentence) => {
  const { code, stdout, stderr } = await runCli(['conformance', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})

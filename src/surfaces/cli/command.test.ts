import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { z } from 'zod'
import type { Context, Route } from '../../kernel/endpoint.ts'
import { endpoint, route } from '../../kernel/endpoint.ts'
import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import { runCommand } from './command.ts'

const Offer = z.object({
  source: z.string(),
  price: z.object({ amount: z.number(), currency: z.string() }).optional(),
  tags: z.array(z.string()),
  makeOffer: z.boolean(),
})

const findOffers = endpoint({
  name: 'findOffers',
  capability: { name: 'market', description: 'For tests.' },
  command: 'offers',
  method: 'GET',
  path: '/v1/offers/{domain}',
  summary: 'Find offers for a domain',
  description: 'Asks every market at once.',
  input: z.object({
    limit: z.int().min(1).max(50).default(10).describe('How many offers at most'),
    domain: z.string().meta({ description: 'The full domain.', examples: ['example.com'] }),
    currency: z.enum(['USD', 'EUR']).optional().describe('Only offers in this currency.'),
    fresh: z.boolean().optional().describe('Ask again instead of remembering.'),
  }),
  output: z.object({ domain: z.string(), total: z.int(), offers: z.array(Offer), timestamp: z.string() }),
  complaints: { domain: { missing: 'missing_domain' } },
  errors: ['missing_domain', 'domain_not_found', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  example: {
    input: { domain: 'example.com', limit: 1, fresh: false },
    output: { domain: 'example.com', total: 0, offers: [], timestamp: '2026-11-15T12:00:00.000Z' },
  },
})

const prepareUpdate = endpoint({
  name: 'prepareUpdate',
  capability: { name: 'ens', description: 'For tests.' },
  command: 'ens records update',
  method: 'POST',
  path: '/v1/ens/records/prepare-update',
  summary: 'Prepare an update of records',
  description: 'Nothing is signed.',
  input: z.object({
    name: z.string().describe('The name'),
    owner_address: z.string().describe('Who pays the gas'),
    text: z.record(z.string(), z.string()).optional().describe('Text records'),
    setReverse: z.boolean().default(true).describe('Point the address back'),
  }),
  output: z.object({ got: z.unknown() }),
  errors: [{ code: 'check_failed', status: 500 }],
  rate: 'counted',
  tool: true,
  example: {
    input: { name: 'a.eth', owner_address: '0x1', text: { url: "it's" } },
    output: { got: null },
  },
})

const lookUp = endpoint({
  name: 'lookUp',
  capability: { name: 'market', description: 'For tests.' },
  command: 'look up',
  argument: {
    shown: 'name|domain',
    description: 'A name, or a domain where it has a dot.',
    field: (text) => (text.includes('.') ? 'domain' : 'name'),
  },
  method: 'GET',
  path: '/v1/look-up',
  summary: 'Look up a name or a domain',
  description: 'Either will do.',
  input: z.object({
    name: z.string().optional().describe('The name'),
    domain: z.string().optional().describe('The domain'),
    tld: z.string().optional().describe('TLDs'),
  }),
  output: z.object({ got: z.unknown() }),
  errors: [],
  rate: 'counted',
  tool: true,
  example: { input: { name: 'example', tld: 'com' }, output: { got: null } },
})

const offers = [
  { source: 'source_a', price: { amount: 1200, currency: 'USD' }, tags: ['short', 'brandable'], makeOffer: false },
  { source: 'source_b', tags: [], makeOffer: true },
  { source: '日本のドメイン市場', price: { amount: 9.5, currency: 'EUR' }, tags: ['\u001b[31mred'], makeOffer: true },
  {
    source: 'source_d',
    price: { amount: 88000, currency: 'USD' },
    tags: ['a tag that is rather long'],
    makeOffer: false,
  },
]
const found = { domain: 'example.com', total: 4, offers, timestamp: '2026-11-15T12:00:00.000Z' }

type Answer = (input: Record<string, unknown>, context: Context) => unknown
const routesWith = (answer: Answer, status?: number): Route[] => [
  route(findOffers, (input, context) => answer(input, context) as typeof found, {
    ...(status !== undefined && { status: () => status }),
  }),
  route(prepareUpdate, (input, context) => answer(input, context) as { got: unknown }),
  route(lookUp, (input, context) => answer(input, context) as { got: unknown }, {
    inconclusive: ({ got }) => got === 'nothing',
  }),
  route({ ...findOffers, name: 'hidden', command: undefined } as never, () => assert.fail('has no command')),
]

type Setup = { answer?: Answer; status?: number; columns?: number; env?: Record<string, string>; signal?: AbortSignal }

async function onoma(argv: string[], { answer = () => found, status, columns, env = {}, signal }: Setup = {}) {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => (written[name] += text),
    ...(columns !== undefined && { isTTY: true, columns }),
  })
  const io = { stdout: output('stdout'), stderr: output('stderr'), env, signal: signal ?? new AbortController().signal }
  const code = await runCommand(routesWith(answer, status), argv, io, [
    { words: 'serve', summary: 'Start the service' },
  ])
  return { code, ...written }
}

/** What a command hands to its endpoint. */
const inputOf = async (argv: string[]): Promise<unknown> => {
  const { stdout, stderr } = await onoma(argv, { answer: (input) => ({ got: input, offers: [] }) })
  return stdout === '' ? stderr.trim() : JSON.parse(stdout).got
}

function assertGolden(name: string, actual: string): void {
  const file = new URL(`../../../test/golden/cli/${name}.txt`, import.meta.url)
  if (process.env['ONOMA_UPDATE_GOLDEN']) writeFileSync(file, actual)
  assert.equal(actual, readFileSync(file, 'utf8'), `${name}.txt differs; ONOMA_UPDATE_GOLDEN=1 rewrites it`)
}

for (const [argv, input] of [
  ['offers example.com', { domain: 'example.com', limit: 10 }],
  ['offers --domain example.com', { domain: 'example.com', limit: 10 }],
  ['offers example.com --limit 3 --fresh', { domain: 'example.com', limit: 3, fresh: true }],
  ['offers --limit=3 --no-fresh example.com', { domain: 'example.com', limit: 3, fresh: false }],
  ['--json offers example.com', { domain: 'example.com', limit: 10 }],
  ['offers -- example.com', { domain: 'example.com', limit: 10 }],
  ['look up example --tld com', { name: 'example', tld: 'com' }],
  ['look up example.com', { domain: 'example.com' }],
  ['look up example.com --name other', { domain: 'example.com', name: 'other' }],
  ['look up --tld com', { tld: 'com' }],
  ['ens records update a.eth 0x1', { name: 'a.eth', owner_address: '0x1', setReverse: true }],
  ['ens records update --name a.eth 0x1 --no-set-reverse', { name: 'a.eth', owner_address: '0x1', setReverse: false }],
  [
    'ens records update a.eth --owner-address 0x1 --text {"url":"x"}',
    { name: 'a.eth', owner_address: '0x1', text: { url: 'x' }, setReverse: true },
  ],
] as const) {
  test(`onoma ${argv} asks what it says`, async () => assert.deepEqual(await inputOf(argv.split(' ')), input))
}

for (const [argv, sentence] of [
  ['offers', 'domain is required; for example domain=example.com.'],
  ['offers a.com b.com', '"b.com" is one argument too many. See onoma offers --help.'],
  ['offers a.com --domain b.com', '"a.com" is one argument too many. See onoma offers --help.'],
  ['look up a b', '"b" is one argument too many. See onoma look up --help.'],
  ['look up a --name b', '"a" is one argument too many. See onoma look up --help.'],
  ['offers a.com --limit 0', 'limit must be at least 1, not 0.'],
  ['offers a.com --limit -5', 'limit must be at least 1, not -5.'],
  ['offers a.com --limit ten', 'limit must be a number, not "ten".'],
  ['offers a.com --limit', '--limit needs a value. See onoma offers --help.'],
  ['offers a.com --currency --json', '--currency needs a value. See onoma offers --help.'],
  ['offers a.com --limit 1 --limit 2', '--limit was given twice. See onoma offers --help.'],
  ['offers a.com --fresh=yes', '--fresh takes no value; --fresh is true, --no-fresh false. See onoma offers --help.'],
  ['offers a.com --csv=yes', '--csv takes no value. See onoma offers --help.'],
  ['offers a.com --limt 3', 'There is no option "--limt"; did you mean --limit? See onoma offers --help.'],
  ['offers a.com --no-limit', 'There is no option "--no-limit". See onoma offers --help.'],
  ['offers a.com -x', 'There is no option "-x". See onoma offers --help.'],
  ['offers a.com --json --csv', 'Choose one of --json and --csv. See onoma offers --help.'],
  [
    'ens records update a.eth 0x1 --text {url:1}',
    '--text must be JSON, not "{url:1}". See onoma ens records update --help.',
  ],
  ['ens records update a.eth 0x1 --text []', 'text must be a record, not a list.'],
  ['ofers a.com', 'There is no command "ofers a.com"; did you mean onoma offers?'],
  ['srve', 'There is no command "srve"; did you mean onoma serve?'],
  ['ens recods update', 'There is no command "ens recods update"; did you mean onoma ens records update?'],
  ['bananas', 'There is no command "bananas"; onoma --help lists the commands.'],
  ['hidden', 'There is no command "hidden"; onoma --help lists the commands.'],
  ['--json', 'No command was given; onoma --help lists them.'],
  ['\u001b[2J', 'There is no command "\ufffd[2J"; onoma --help lists the commands.'],
] as const) {
  test(`onoma ${JSON.stringify(argv)} is refused: ${sentence}`, async () => {
    const { code, stdout, stderr } = await onoma(argv.split(' '))
    // A mistake in how a format is asked for may be told in that format.
    if (stderr.startsWith('{')) assert.equal(JSON.parse(stderr).message, sentence.replace(/ See onoma .*/, ''))
    else assert.equal(stderr, `${sentence}\n`)
    assert.equal(stdout, '')
    assert.equal(code, 2)
  })
}

test('a control character in an argument is refused, and not repeated', async () => {
  const { code, stderr } = await onoma(['offers', 'a\u001b[2J.com'])
  assert.equal(code, 2)
  assert.equal(stderr, 'domain contains a control character; leave it out.\n')
})

for (const [failure, code, sentence] of [
  [new ApiError('domain_not_found', 'No such domain.'), 3, 'No such domain.'],
  [new ApiError('rate_limited', 'Too often.'), 4, 'Too often.'],
  [new ApiError('payment_required', 'Pay first.'), 5, 'Pay first.'],
  [new ApiError('timeout', 'Late.'), 1, 'Late.'],
  [new ApiError({ code: 'check_failed', status: 500 }, 'No node.'), 1, 'No node.'],
  [
    new UpstreamError('timeout', 'https://key@market'),
    1,
    'The capability is not configured or not ready. Asking again may help.',
  ],
  [new UpstreamError('auth_error', 'https://key@market'), 1, 'The capability is not configured or not ready.'],
  [new TypeError('x is undefined'), 1, 'Something went wrong on our side. ONOMA_LOG_LEVEL=debug shows what.'],
  [new ApiError('invalid_domain', 'Bad \u001b[31mname.'), 2, 'Bad \ufffd[31mname.'],
] as const) {
  test(`${failure.name} "${failure.message}" ends with exit code ${code} and one sentence`, async () => {
    const answer = () => Promise.reject(failure)
    assert.deepEqual(await onoma(['offers', 'a.com'], { answer }), { code, stdout: '', stderr: `${sentence}\n` })
  })
}

test('with --json an error is the body the contract gives it', async () => {
  const answer = () => {
    throw new ApiError('unsupported_tld', 'No.', { extra: { tld: 'zzz', error: 'not this' } })
  }
  const { code, stderr } = await onoma(['offers', 'a.com', '--json'], { answer })
  assert.equal(code, 2)
  assert.deepEqual(JSON.parse(stderr), { tld: 'zzz', error: 'unsupported_tld', message: 'No.' })
  const usage = await onoma(['offers', 'a.com', 'b', '--json'])
  assert.deepEqual(JSON.parse(usage.stderr), { error: 'invalid_request', message: '"b" is one argument too many.' })
})

test('what really happened is shown only to who asks for it', async () => {
  const answer = () =>
    Promise.reject(new UpstreamError('timeout', 'market \u001b[2J slow', { cause: new Error('socket') }))
  const { stderr } = await onoma(['offers', 'a.com'], { answer, env: { ONOMA_LOG_LEVEL: 'debug' } })
  assert.match(stderr, /market \ufffd\[2J slow[^]*socket/)
  assert.ok(!stderr.includes('\u001b'))
})

test('an answer with a status of its own is printed and decides the exit code', async () => {
  const { code, stdout } = await onoma(['offers', 'a.com'], { status: 501 })
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stdout), found)
})

test('an answer that could find out nothing is printed, and is a failure, not a mistake in the command', async () => {
  const ask = (got: unknown) => onoma(['look', 'up', 'a'], { answer: () => ({ got }) })
  assert.deepEqual(await ask('nothing'), {
    code: 1,
    stdout: '{"got":"nothing"}\n',
    stderr: 'Nothing could be found out; asking again may help.\n',
  })
  assert.deepEqual(await ask('something'), { code: 0, stdout: '{"got":"something"}\n', stderr: '' })
})

test('into a pipe goes JSON on one line, on a terminal --json is indented', async () => {
  assert.equal((await onoma(['offers', 'a.com'])).stdout, `${JSON.stringify(found)}\n`.replace('\u001b', '\\u001b'))
  assert.equal(
    (await onoma(['offers', 'a.com', '--json'], { columns: 80 })).stdout,
    `${JSON.stringify(found, null, 2)}\n`,
  )
})

test('a terminal gets a table that fits it', async () => {
  for (const columns of [120, 60, 30]) {
    const { stdout } = await onoma(['offers', 'a.com', '--no-color'], { columns })
    assertGolden(`table-${columns}`, stdout)
  }
})

test('few rows that do not fit, and answers without a table, are told line by line and uncut', async () => {
  const few = { ...found, offers: [{ source: 'https://example.com/a/rather/long/link', tags: ['x'], makeOffer: true }] }
  const options = { columns: 40, answer: () => few, env: { NO_COLOR: '1' } }
  const rows = await onoma(['offers', 'a.com'], options)
  const fields = await onoma(['ens', 'records', 'update', 'a.eth', '0x1'], {
    ...options,
    answer: () => ({ got: { list: Array.from({ length: 20 }, (_, at) => `entry${at}`), yes: true, none: null } }),
  })
  const nothing = await onoma(['offers', 'a.com'], { ...options, answer: () => ({ ...found, offers: [] }) })
  assertGolden('records', [rows.stdout, fields.stdout, nothing.stdout].join('---\n'))
})

test('colours are for terminals only, and NO_COLOR, --no-color and a dumb terminal do without', async () => {
  const coloured = '\u001b[1m'
  const run = async (argv: string[], env: Record<string, string>) =>
    (await onoma(['offers', 'a.com', ...argv], { columns: 80, env })).stdout.includes(coloured)
  assert.equal(await run([], {}), true)
  assert.equal(await run([], { NO_COLOR: '' }), true)
  assert.equal(await run([], { NO_COLOR: '1' }), false)
  assert.equal(await run([], { TERM: 'dumb' }), false)
  assert.equal(await run(['--no-color'], {}), false)
  assert.equal(await run(['--csv'], {}), false)
})

test('no byte of an upstream text moves the terminal, in any format', async () => {
  for (const format of [[], ['--json'], ['--ndjson'], ['--csv']]) {
    const { stdout } = await onoma(['offers', 'a.com', '--no-color', ...format], { columns: 80 })
    assert.match(stdout, /31mred/)
    assert.ok(!stdout.includes('\u001b'))
  }
})

test('help lists every command by capability', async () => {
  assertGolden('help', (await onoma(['--help'], { columns: 80, env: { NO_COLOR: '1' } })).stdout)
})

test('the help of a command tells its options, errors and an example with its answer', async () => {
  for (const words of ['offers', 'ens records update', 'look up']) {
    const { code, stdout } = await onoma([...words.split(' '), '--help'])
    assert.equal(code, 0)
    assertGolden(`help-${words.replaceAll(' ', '-')}`, stdout)
  }
})

test('the start of a longer command lists what may follow', async () => {
  const asked = await onoma(['ens', '--help'])
  assertGolden('help-ens', asked.stdout)
  assert.equal(asked.code, 0)
  const mistaken = await onoma(['ens', 'records'])
  assert.equal(mistaken.code, 2)
  assert.match(mistaken.stderr, /ens records update/)
  assert.equal(mistaken.stdout, '')
})

test('Ctrl-C ends the wait for an answer, even one that does not listen', async () => {
  const controller = new AbortController()
  const answer: Answer = (_, { signal }) => {
    assert.equal(signal, controller.signal)
    queueMicrotask(() => controller.abort())
    return new Promise(() => {})
  }
  const ended = await onoma(['offers', 'a.com'], { answer, signal: controller.signal })
  assert.deepEqual(ended, { code: 130, stdout: '', stderr: '' })
})

test('an input field may not take the name of an option every command has', async () => {
  const clash = { ...findOffers, input: z.object({ csv: z.string() }) } as unknown as typeof findOffers
  const io = { stdout: { write() {} }, stderr: { write() {} }, env: {}, signal: new AbortController().signal }
  await assert.rejects(runCommand([route(clash, () => found)], ['--help'], io), /every command has --csv/)
})

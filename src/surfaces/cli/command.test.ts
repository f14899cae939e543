import assert from 'node:assert/strict'
import test from 'node:test'
import * as z from 'zod'
import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import { runCommand } from './command.ts'
import { route } from '../../kernel/endpoint.ts'
import { type Answer, findOffers, found, inputOf, onoma } from './command.fixture.ts'

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
  test(`onoma ${argv} parses to the expected input`, async () =>
    assert.deepEqual(await inputOf(argv.split(' ')), input))
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
  test(`onoma ${JSON.stringify(argv)} is rejected: ${sentence}`, async () => {
    const { code, stdout, stderr } = await onoma(argv.split(' '))
    // An error about the format option may be reported in that format.
    if (stderr.startsWith('{')) assert.equal(JSON.parse(stderr).message, sentence.replace(/ See onoma .*/, ''))
    else assert.equal(stderr, `${sentence}\n`)
    assert.equal(stdout, '')
    assert.equal(code, 2)
  })
}

test('a control character in an argument is rejected and not echoed', async () => {
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
  test(`${failure.name} "${failure.message}" gives exit code ${code} and one sentence`, async () => {
    const answer = () => Promise.reject(failure)
    assert.deepEqual(await onoma(['offers', 'a.com'], { answer }), { code, stdout: '', stderr: `${sentence}\n` })
  })
}

test('with --json an error has the body of the API', async () => {
  const answer = () => {
    throw new ApiError('unsupported_tld', 'No.', { extra: { tld: 'zzz', error: 'not this' } })
  }
  const { code, stderr } = await onoma(['offers', 'a.com', '--json'], { answer })
  assert.equal(code, 2)
  assert.deepEqual(JSON.parse(stderr), { tld: 'zzz', error: 'unsupported_tld', message: 'No.' })
  const usage = await onoma(['offers', 'a.com', 'b', '--json'])
  assert.deepEqual(JSON.parse(usage.stderr), { error: 'invalid_request', message: '"b" is one argument too many.' })
})

test('the cause of an error is shown only with ONOMA_LOG_LEVEL=debug', async () => {
  const answer = () =>
    Promise.reject(new UpstreamError('timeout', 'market \u001b[2J slow', { cause: new Error('socket') }))
  const { stderr } = await onoma(['offers', 'a.com'], { answer, env: { ONOMA_LOG_LEVEL: 'debug' } })
  assert.match(stderr, /market \ufffd\[2J slow[^]*socket/)
  assert.ok(!stderr.includes('\u001b'))
})

test('a result with its own status is printed, and the status decides the exit code', async () => {
  const { code, stdout } = await onoma(['offers', 'a.com'], { status: 501 })
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(stdout), found)
})

test('an inconclusive result is printed, and the exit code is that of a failure', async () => {
  const ask = (got: unknown) => onoma(['look', 'up', 'a'], { answer: () => ({ got }) })
  assert.deepEqual(await ask('nothing'), {
    code: 1,
    stdout: '{"got":"nothing"}\n',
    stderr: 'No result could be determined; try again.\n',
  })
  assert.deepEqual(await ask('something'), { code: 0, stdout: '{"got":"something"}\n', stderr: '' })
})

test('Ctrl-C ends a command even if its handler ignores the signal', async () => {
  const controller = new AbortController()
  const answer: Answer = (_, { signal }) => {
    assert.equal(signal, controller.signal)
    queueMicrotask(() => controller.abort())
    return new Promise(() => {})
  }
  const ended = await onoma(['offers', 'a.com'], { answer, signal: controller.signal })
  assert.deepEqual(ended, { code: 130, stdout: '', stderr: '' })
})

test('an input field may not have the name of a common option', async () => {
  const clash = { ...findOffers, input: z.object({ csv: z.string() }) } as unknown as typeof findOffers
  const io = { stdout: { write() {} }, stderr: { write() {} }, env: {}, signal: new AbortController().signal }
  await assert.rejects(runCommand([route(clash, () => found)], ['--help'], io), /every command has --csv/)
})

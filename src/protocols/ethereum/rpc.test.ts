import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { failing } from '../../kernel/upstream/loopback.fixture.ts'
import { type AnswerCall, echo, envelope, honest, type Posted, serveNode } from './node.fixture.ts'
import { rpcFor } from './rpc.fixture.ts'

const call = (word: string) => ({ method: 'say', params: [word] })
const said = (...words: string[]) => words.map((word) => ({ ok: true, result: `say ${word}` }))

suite('requests', () => {
  test('each call to ask is one HTTP request, and the first one includes eth_chainId', async (t) => {
    const node = await serveNode(t, honest(echo))
    const { ask } = rpcFor(t, [node.url])
    assert.deepEqual(await ask([call('a')]), said('a'))
    assert.deepEqual(await ask([call('b')]), said('b'))
    assert.deepEqual(await ask([call('c'), call('d')]), said('c', 'd'))
    assert.deepEqual(node.methods(), [['say', 'eth_chainId'], ['say'], ['say', 'say']])
    assert.deepEqual(node.posts[1], { jsonrpc: '2.0', id: 1, method: 'say', params: ['b'] })
    assert.ok(Array.isArray(node.posts[2]))
  })

  test('the answers of a batch may arrive in any order', async (t) => {
    const node = await serveNode(t, (posted, response) => {
      response.end(
        JSON.stringify(
          [posted]
            .flat()
            .map((one) => envelope(one, echo))
            .toReversed(),
        ),
      )
    })
    assert.deepEqual(await rpcFor(t, [node.url]).ask(['a', 'b', 'c'].map(call)), said('a', 'b', 'c'))
  })

  test('user and password of the URL are sent as basic authentication', async (t) => {
    let authorization: string | undefined
    const node = await serveNode(t, (posted, response, request) => {
      authorization = request.headers.authorization
      honest(echo)(posted, response, request)
    })
    await rpcFor(t, [`http://us%40er:pass@127.0.0.1:${node.port}/v3/key?x=1`]).ask([call('a')])
    assert.equal(authorization, `Basic ${Buffer.from('us@er:pass').toString('base64')}`)
  })
})

suite('a JSON-RPC error is an answer, not a failure of the node', () => {
  const DATA = '0x08c379a0'
  for (const [form, data, expected] of [
    ['as text', DATA, DATA],
    ['one level deeper', { message: 'no', data: DATA }, DATA],
    ['behind a word', `Reverted ${DATA}`, DATA],
    ['in capitals', '0x08C379A0', DATA],
    ['as something else', 'because', undefined],
    ['as half a byte', '0x123', undefined],
    ['as nothing', null, undefined],
  ] as const) {
    test(`with its data ${form}`, async (t) => {
      const refusal: AnswerCall = (asked) =>
        asked.method === 'say' ? { error: { code: 3, message: 'execution reverted', data } } : echo(asked)
      const node = await serveNode(t, honest(refusal))
      const outcome = { ok: false, code: 3, message: 'execution reverted', ...(expected && { data: expected }) }
      const { ask } = rpcFor(t, [node.url])
      assert.deepEqual(await ask([call('a')]), [outcome])
      assert.deepEqual(await ask([call('a')]), [outcome])
      assert.equal(node.posts.length, 2)
    })
  }

  test('also with status 400, and without an id', async (t) => {
    const node = await serveNode(t, (posted, response, request) => {
      if (Array.isArray(posted)) return honest(echo)(posted, response, request)
      response.writeHead(400).end(JSON.stringify({ id: null, error: { code: -32_600, message: 'what?' } }))
    })
    const { ask } = rpcFor(t, [node.url])
    await ask([call('a')])
    assert.deepEqual(await ask([call('a')]), [{ ok: false, code: -32_600, message: 'what?' }])
  })

  test('and call data that its message repeats is cut', async (t) => {
    const message = `cannot read 0x${'ab'.repeat(40)}`
    const node = await serveNode(
      t,
      honest((asked) => (asked.method === 'say' ? { error: { code: 1, message } } : echo(asked))),
    )
    assert.deepEqual(await rpcFor(t, [node.url]).ask([call('a')]), [{ ok: false, code: 1, message: 'cannot read 0x…' }])
  })
})

suite('failover', () => {
  const asText = (text: string) => (_posted: Posted, response: { end(text: string): void }) => response.end(text)
  const batch = (change: (answers: object[]) => unknown) => (posted: Posted, response: { end(text: string): void }) =>
    response.end(JSON.stringify(change([posted].flat().map((one) => envelope(one, echo)))))
  const status = (code: number) => (_posted: Posted, response: { writeHead(code: number): { end(): void } }) =>
    response.writeHead(code).end()

  const rows: [string, Parameters<typeof serveNode>[1], string][] = [
    ['that answers 500', status(500), 'unavailable'],
    ['that answers 503', status(503), 'unavailable'],
    ['that answers 429', status(429), 'rate_limited'],
    ['that answers 401', status(401), 'auth_error'],
    ['that answers 403', status(403), 'auth_error'],
    ['that redirects', status(307), 'unavailable'],
    [
      'that is over its rate limit',
      honest(() => ({ error: { code: -32_005, message: 'limit exceeded' } })),
      'rate_limited',
    ],
    [
      'that is over its rate limit for one call of two',
      honest((one) => (one.id === 1 ? { error: { code: -32_005 } } : echo(one))),
      'rate_limited',
    ],
    ['that is over its rate limit for a batch', asText('{"error":{"code":-32005,"message":"limit"}}'), 'rate_limited'],
    [
      'that reports a timeout of its own',
      honest(() => ({ error: { code: -32_002, message: 'request timed out' } })),
      'unavailable',
    ],
    ['that sends a web page', asText('<!doctype html>'), 'unavailable'],
    ['that sends nothing', asText(''), 'unavailable'],
    ['that sends null', asText('null'), 'unavailable'],
    ['that sends an object without an answer', asText('{}'), 'unavailable'],
    ['that sends a single result', asText('{"id":1,"result":"0x1"}'), 'unavailable'],
    ['that sends too few answers', batch((answers) => answers.slice(1)), 'unavailable'],
    ['that sends one answer twice', batch(([first]) => [first, first]), 'unavailable'],
    ['that sends too many answers', batch((answers) => [...answers, { id: 3, result: 0 }]), 'unavailable'],
    ['that sends other ids', batch((answers) => answers.map((one, at) => ({ ...one, id: at }))), 'unavailable'],
    [
      'that sends ids as text',
      batch((answers) => answers.map((one, at) => ({ ...one, id: `${at + 1}` }))),
      'unavailable',
    ],
    [
      'that sends an answer without a result',
      batch((answers) => answers.map((_, at) => ({ id: at + 1 }))),
      'unavailable',
    ],
    ['that sends errors without a code', honest(() => ({ error: { message: 'no' } })), 'unavailable'],
    ['that sends more than maxBytes', batch(() => 'x'.repeat(20_000)), 'unavailable'],
    [
      'that sends an invalid compressed body',
      (_posted, response) => response.setHeader('content-encoding', 'gzip').end('x'),
      'unavailable',
    ],
    ['that closes the connection', (_posted, response) => response.socket?.destroy(), 'unavailable'],
    [
      'that does not report its chain ID',
      honest((one) => (one.method === 'eth_chainId' ? { error: { code: -32_601 } } : echo(one))),
      'unavailable',
    ],
    [
      'whose chain ID is not a hex string',
      honest((one) => (one.method === 'eth_chainId' ? { result: 1 } : echo(one))),
      'unavailable',
    ],
  ]
  for (const [what, listener, failure] of rows) {
    test(`a node ${what} is skipped at once, and tried last for 30 s`, async (t) => {
      const bad = await serveNode(t, listener)
      const good = await serveNode(t, honest(echo))
      const { ask, clock, stats, lines } = rpcFor(t, [bad.url, good.url], { maxBytes: 10_000 })
      assert.deepEqual(await ask([call('a')]), said('a'))
      assert.deepEqual(await ask([call('b')]), said('b'))
      assert.deepEqual([bad.posts.length, good.posts.length], [1, 2])
      clock.advance(30_000)
      assert.deepEqual(await ask([call('c')]), said('c'))
      assert.deepEqual([bad.posts.length, good.posts.length], [2, 3])
      assert.deepEqual(stats(), [
        { name: 'Ethereum node 1 of 2', asked: 2, failed: 2, state: 'failing' },
        { name: 'Ethereum node 2 of 2', asked: 3, failed: 0, state: 'ready' },
      ])
      // Repeated failures log one warning.
      assert.equal(lines.filter((line) => line.includes('"level":"warn"')).length, 1)
      await assert.rejects(
        rpcFor(t, [bad.url], { maxBytes: 10_000 }).ask([call('d')]),
        failing(failure, /^the Ethereum node /),
      )
    })
  }
})

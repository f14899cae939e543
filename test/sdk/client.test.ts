import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createOnoma, type OnomaOptions, type Pay } from '../../sdk/index.js'

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const LIMITED = { error: 'rate_limit_exceeded', message: 'Too many requests.' }
const HEALTHY = { status: 'ok' }

type Sent = { readonly url: string; readonly init: RequestInit & { readonly headers: Record<string, string> } }

/** A client whose requests are answered by the functions in turn; the last one answers all further ones. */
function clientOf(answers: readonly ((sent: Sent) => Response)[], options: OnomaOptions = {}) {
  const sent: Sent[] = []
  const waits: number[] = []
  const onoma = createOnoma({
    baseUrl: 'http://onoma.test/',
    async fetch(url, init) {
      const request = { url: url as string, init: init as Sent['init'] }
      sent.push(request)
      return answers[Math.min(sent.length, answers.length) - 1]!(request)
    },
    sleep: async (ms, signal) => {
      waits.push(ms)
      signal?.throwIfAborted()
    },
    ...options,
  })
  return { onoma, sent, waits }
}

suite('a request', () => {
  test('has its fields in the path, the query or the body', async () => {
    const { onoma, sent } = clientOf([() => json(200, {})])
    await onoma.dnsRecords({ domain: 'a/b.com' })
    await onoma.checkDomains({ name: 'acme', tld: ['com', 'net'], evidence: true })
    await onoma.checkBulk({ domains: ['acme.com'] })
    assert.deepEqual(
      sent.map(({ url }) => url),
      [
        'http://onoma.test/v1/dns/a%2Fb.com',
        'http://onoma.test/v1/check?name=acme&tld=com%2Cnet&evidence=true',
        'http://onoma.test/v1/check/bulk',
      ],
    )
    assert.equal(sent[2]!.init.body, '{"domains":["acme.com"]}')
  })

  test('waits as long as the service asks, and then is sent again', async () => {
    const { onoma, sent, waits } = clientOf([
      () => json(429, LIMITED, { 'retry-after': '7' }),
      () => json(200, HEALTHY),
    ])
    assert.equal((await onoma.health()).ok, true)
    assert.deepEqual([sent.length, waits], [2, [7_000]])
  })

  test('gives up when its budget for waiting is used up, and says when to ask again', async () => {
    const { onoma, waits } = clientOf([() => json(429, LIMITED, { 'retry-after': '20' })])
    const answer = await onoma.health()
    assert.ok(!answer.ok)
    assert.deepEqual([answer.error.code, answer.error.retryAfterMs], ['rate_limit_exceeded', 20_000])
    assert.deepEqual(waits, [20_000])
  })

  test('is not repeated if the operator must act first', async () => {
    const { onoma, sent } = clientOf([() => json(503, { error: 'service_unavailable', message: 'Set it up.' })])
    const answer = await onoma.listAuctions()
    assert.deepEqual([answer.ok, sent.length], [false, 1])
  })

  test('to a service that is away, or to another one, is an error of its own', async () => {
    const away = clientOf([
      () => {
        throw new TypeError('fetch failed')
      },
    ])
    const html = clientOf([() => new Response('<html>', { status: 200 })])
    for (const [{ onoma }, code] of [
      [away, 'network_error'],
      [html, 'invalid_response'],
    ] as const) {
      const answer = await onoma.health()
      assert.equal(answer.ok ? 'ok' : answer.error.code, code)
    }
    assert.ok(away.sent.length > 1)
    assert.ok(away.waits.reduce((sum, ms) => sum + ms, 0) <= 30_000)
  })

  test('that is aborted throws the reason, also while it waits', async () => {
    const stop = new AbortController()
    const { onoma } = clientOf([
      () => {
        stop.abort(new Error('enough'))
        return json(429, LIMITED, { 'retry-after': '1' })
      },
    ])
    await assert.rejects(onoma.health({}, { signal: stop.signal }), /enough/)
  })
})

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
const priced = (usd: number) =>
  json(
    402,
    { error: 'payment_required', message: 'It costs money.' },
    {
      'payment-required': base64({
        accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: String(usd * 1e6), asset: '0x1', payTo: '0x2' }],
      }),
    },
  )
const pay: Pay = async () => ({ 'PAYMENT-SIGNATURE': 'signed' })
const isPaid = ({ init }: Sent) => init.headers['PAYMENT-SIGNATURE'] === 'signed'

suite('a payment', () => {
  test('is never made without a hook, or above the cap for one call', async () => {
    const unpaid = clientOf([() => priced(0.02)])
    const capped = clientOf([() => priced(0.02)], { pay })
    const [first, second] = [
      await unpaid.onoma.valueDomain({ domain: 'acme.com' }),
      await capped.onoma.valueDomain({ domain: 'acme.com' }),
    ]
    assert.deepEqual(
      [first.ok || first.error.code, second.ok || second.error.code],
      ['payment_required', 'spending_cap'],
    )
    assert.equal([...unpaid.sent, ...capped.sent].some(isPaid), false)
  })

  test('counts against the cap of the day, which begins anew with the next one', async () => {
    let now = Date.UTC(2026, 10, 16, 12)
    const { onoma } = clientOf([(sent) => (isPaid(sent) ? json(200, {}) : priced(0.02))], {
      pay,
      maxUsdPerCall: 0.02,
      maxUsdPerDay: 0.05,
      now: () => now,
    })
    const value = async () => {
      const answer = await onoma.valueDomain({ domain: 'acme.com' })
      return answer.ok || answer.error.code
    }
    assert.deepEqual([await value(), await value(), await value()], [true, true, 'spending_cap'])
    assert.equal(onoma.spentToday(), 0.04)
    now += 86_400_000
    assert.deepEqual([onoma.spentToday(), await value()], [0, true])
  })

  test('whose answer is lost is sent again as it is, with the same token', async () => {
    const { onoma, sent } = clientOf(
      [
        () => priced(0.02),
        () => {
          throw new TypeError('connection reset')
        },
        () => json(503, {}, { 'retry-after': '1' }),
        () => json(200, { domain: 'acme.com' }),
      ],
      { pay, maxUsdPerCall: 0.02 },
    )
    assert.equal((await onoma.valueDomain({ domain: 'acme.com' })).ok, true)
    const paid = sent.filter(isPaid).map(({ init }) => init.headers['Payment-Token'])
    assert.equal(paid.length, 3)
    assert.equal(new Set(paid).size, 1)
    assert.match(paid[0]!, /^[\w-]{43}$/)
    assert.equal(onoma.spentToday(), 0.02)
  })

  test('that is refused, or that the wallet does not sign, was not spent', async () => {
    const refused = clientOf([() => priced(0.02)], { pay, maxUsdPerCall: 0.02 })
    const answer = await refused.onoma.valueDomain({ domain: 'acme.com' })
    assert.equal(answer.ok || answer.error.code, 'payment_required')
    const unsigned = clientOf([() => priced(0.02)], {
      maxUsdPerCall: 0.02,
      pay: async () => {
        throw new Error('the wallet is locked')
      },
    })
    await assert.rejects(unsigned.onoma.valueDomain({ domain: 'acme.com' }), /locked/)
    assert.deepEqual([refused.onoma.spentToday(), unsigned.onoma.spentToday()], [0, 0])
  })

  test('whose outcome nobody tells is an error of its own, and counts as spent', async () => {
    const { onoma, sent } = clientOf([() => priced(0.02), () => new Response('<html>', { status: 502 })], {
      pay,
      maxUsdPerCall: 0.02,
    })
    const answer = await onoma.valueDomain({ domain: 'acme.com' })
    assert.equal(answer.ok || answer.error.code, 'payment_unknown')
    assert.ok(sent.filter(isPaid).length > 1)
    assert.equal(onoma.spentToday(), 0.02)
  })

  test('whose price cannot be read is not made', async () => {
    const { onoma, sent } = clientOf([() => json(402, {}, { 'payment-required': '%' })], { pay, maxUsdPerCall: 1 })
    const answer = await onoma.valueDomain({ domain: 'acme.com' })
    assert.equal(answer.ok || answer.error.code, 'unknown_price')
    assert.equal(sent.length, 1)
  })
})

suite('a stream', () => {
  const streamOf = (text: string, onCancel: () => void = () => {}) => {
    const bytes = new TextEncoder().encode(text)
    let at = 0
    return new Response(
      new ReadableStream({
        // One byte at a time: lines and characters are cut anywhere.
        pull(controller) {
          if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at))
          else controller.close()
        },
        cancel: onCancel,
      }),
    )
  }

  test('gives its lines, however they are cut', async () => {
    const { onoma, sent } = clientOf([() => streamOf('{"domain":"bücher.de"}\n\n{"summary":{"checked":1}}')])
    const items = await Array.fromAsync(onoma.stream.checkBulk({ domains: ['xn--bcher-kva.de'] }))
    assert.deepEqual(items, [{ domain: 'bücher.de' }, { summary: { checked: 1 } }])
    assert.equal(sent[0]!.init.headers['accept'], 'application/x-ndjson')
  })

  test('that is left early is cancelled', async () => {
    let isCancelled = false
    const { onoma } = clientOf([() => streamOf('{"domain":"a.com"}\n'.repeat(100), () => (isCancelled = true))])
    for await (const item of onoma.stream.checkBulk({ domains: ['a.com'] })) {
      assert.ok('domain' in item)
      break
    }
    assert.ok(isCancelled)
  })

  test('that the service refuses throws its error', async () => {
    const { onoma } = clientOf([() => json(400, { error: 'invalid_parameter', message: 'domains must be an array.' })])
    await assert.rejects(onoma.stream.checkBulk({ domains: [] }).next(), { code: 'invalid_parameter', status: 400 })
  })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { Challenge } from 'mppx'
import * as z from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import type { Reply } from '../support/door.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fundedWallet, payMpp, payX402 } from '../support/paid-wallets.ts'

const lines = endpoint({
  name: 'lines',
  capability: { name: 'test', description: 'Paid by the line.' },
  method: 'POST',
  path: '/v1/lines',
  summary: 'Count lines',
  description: 'Counts lines.',
  input: z.object({ lines: z.array(z.string()).min(1).meta({ description: 'The lines.' }) }),
  output: z.object({ count: z.number() }),
  errors: ['payment_required'],
  rate: 'counted',
  price: { usd: '0.02', each: 'lines' },
  example: { input: { lines: ['a'] }, output: { count: 1 } },
})

suite('the rules of the Payment scheme, through the door', () => {
  let door: Awaited<ReturnType<typeof startPaidRoutes>>
  before(async () => {
    door = await startPaidRoutes(() => [route(lines, ({ lines: given }) => ({ count: given.length }))])
  })
  after(() => door.stop())

  const post = (body: string, headers: Record<string, string> = {}) => door.post('/v1/lines', body, headers)
  const challengeOf = ({ headers }: Reply) => Challenge.deserialize(headers.get('www-authenticate')!)
  const problemOf = ({ body }: Reply) => (body as { type: string }).type.split('/').at(-1)

  test('a challenge for a request with a body names the digest of the body, and buys for that body only', async () => {
    const body = '{"lines":["a","b"]}'
    const unpaid = await post(body)
    const digest = createHash('sha256').update(body).digest('base64')
    assert.equal(challengeOf(unpaid).digest, `sha-256=:${digest}:`)
    const headers = await payMpp(unpaid, fundedWallet(door.chains), door.clock)
    for (const other of ['{"lines":["a","c"]}', '{"lines": ["a","b"]}']) {
      const reply = await post(other, headers)
      assert.deepEqual([reply.status, problemOf(reply)], [402, 'invalid-challenge'], other)
    }
    const paid = await post(body, headers)
    assert.deepEqual([paid.status, paid.body], [200, { count: 2 }])
  })

  test('several credentials are 400, and nothing is charged', async () => {
    const body = '{"lines":["twice"]}'
    const [wallet, unpaid] = [fundedWallet(door.chains), await post(body)]
    const { authorization } = await payMpp(unpaid, wallet, door.clock)
    const twice = await post(body, { authorization: `${authorization}, ${authorization}` })
    assert.deepEqual([twice.status, (twice.body as { error: string }).error], [400, 'invalid_request'])
    const both = await post(body, { authorization: authorization!, ...(await payX402(unpaid, wallet, door.clock)) })
    assert.equal(both.status, 400)
    assert.equal(door.chains.tempo.balanceOf(wallet.address), 1_000_000n)
  })

  test('a credential of another method is 400 method-unsupported', async () => {
    const body = '{"lines":["stripe"]}'
    const wallet = fundedWallet(door.chains)
    const headers = await payMpp(await post(body), wallet, door.clock, { challenge: { method: 'stripe' } })
    const reply = await post(body, headers)
    assert.deepEqual([reply.status, problemOf(reply)], [400, 'method-unsupported'])
    assert.equal((reply.body as { error: string }).error, 'invalid_request')
  })

  test('Accept-Payment leaves the only challenge in its place, whatever it says', async () => {
    const wishes = [
      'tempo/charge',
      '*/*;q=0.1',
      'tempo/charge;q=0',
      'stripe/charge',
      'tempo',
      ';;',
      'x402/exact, tempo/*',
    ]
    for (const wish of wishes) {
      const { method, intent } = challengeOf(await post('{"lines":["x"]}', { 'accept-payment': wish }))
      assert.deepEqual([method, intent], ['tempo', 'charge'], wish)
    }
  })
})

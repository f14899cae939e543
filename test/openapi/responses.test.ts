import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { Endpoint, Route } from '../../src/kernel/endpoint.ts'
import { ApiError, type ErrorCode } from '../../src/kernel/errors.ts'
import { openapiDocument } from '../../src/surfaces/openapi/document.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { createConformity } from '../support/conformity.ts'
import { type Reply, startDoor } from '../support/door.ts'
import { startPaidRoutes } from '../support/paid-routes.ts'
import { fundedWallet, PAYERS } from '../support/paid-wallets.ts'
import { open, readAll } from '../support/wire.ts'
import { exampleRequest, operationOf, responsesOf } from './document-reader.ts'

/**
 * Produces every status of the OpenAPI document through a door. `startDoor` checks each response against the document, so
 * an undocumented status, field or header fails the test.
 */

const { routes: real, ensListenerRoutes, close } = composeRoutes(loadConfig({}))
after(close)
const INFO = { version: '1.2.3', publicUrl: 'http://127.0.0.1:8080' }
const ENS = { url: 'http://127.0.0.1:8081', routes: ensListenerRoutes }
const document = openapiDocument(real, { ...INFO, ens: ENS })

type DocumentedError = { readonly code: ErrorCode; readonly status: number; readonly extra: Json }

/** The documented errors that a handler of the endpoint throws. */
const documentedErrors = (endpoint: Endpoint): DocumentedError[] =>
  responsesOf(document, operationOf(document, endpoint))
    .filter(([status]) => status >= 400 && ![402, 405, 408, 429, 431, 501].includes(status))
    .flatMap(([status, { content }]) =>
      Object.values(content!['application/json']!.examples!).map(({ value: { error, message: _, ...extra } }) => ({
        code: error as ErrorCode,
        status,
        extra,
      })),
    )

describe('every error in the document', () => {
  let next: DocumentedError
  let door: Awaited<ReturnType<typeof startDoor>>
  const free = real.filter(({ endpoint }) => !endpoint.price)
  const failing = free.map(({ endpoint }): Route => ({
    endpoint,
    run() {
      throw new ApiError(next, 'It failed.', { extra: next.extra, headers: retryAfter(endpoint, next.status) })
    },
  }))
  before(async () => {
    door = await startDoor(failing, { rateLimit: 1_000_000 })
  })
  after(() => door.stop())

  for (const { endpoint } of free) {
    test(`of ${endpoint.name} is sent as documented, in both media types`, async () => {
      const { path, ...init } = exampleRequest(endpoint)
      const errors = documentedErrors(endpoint)
      assert.ok(errors.some(({ code }) => code === 'internal_error'))
      for (next of errors) {
        for (const accept of ['application/json', 'application/problem+json']) {
          const reply = await door.get(`${path}${path.includes('?') ? '&' : '?'}unknown=1`, {
            ...init,
            headers: { accept },
          })
          assert.deepEqual([reply.status, (reply.body as { error: string }).error], [next.status, next.code])
        }
      }
      const wrong = await door.get(path, { method: 'DELETE' })
      assert.equal(wrong.status, 405)
    })
  }

  test('of an exceeded rate limit is sent as documented', async (t) => {
    const limited = await startDoor(failing, { rateLimit: 1 })
    t.after(() => limited.stop())
    next = { code: 'internal_error', status: 500, extra: {} }
    await limited.get('/v1/tlds')
    for (const { endpoint } of free.filter(({ endpoint }) => endpoint.rate === 'counted')) {
      const { path, ...init } = exampleRequest(endpoint)
      assert.equal((await limited.get(path, init)).status, 429)
    }
  })

  test('of an unreadable request is sent as documented', async (t) => {
    const slow = await startDoor(free, { limits: { headersMs: 50, requestMs: 50, checkMs: 10 } })
    t.after(() => slow.stop())
    const { check } = createConformity(real)
    for (const [bytes, status] of [
      ['GET /v1/tlds HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408],
      [`GET /v1/tlds?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ] as const) {
      const socket = await open(slow.port)
      socket.write(bytes)
      const reply = parseReply(await readAll(socket))
      assert.equal(reply.status, status)
      check({ path: '/v1/tlds' }, reply)
    }
  })
})

const retryAfter = ({ failsAs }: Endpoint, status: number): Record<string, string> => {
  const failed = typeof failsAs === 'object' ? failsAs.status : undefined
  return [502, 503, 504].includes(status) || status === failed ? { 'Retry-After': '3' } : {}
}

/** Parses a raw HTTP response. */
function parseReply(raw: string): Reply {
  const [head = '', text = ''] = raw.split('\r\n\r\n')
  const [line, ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((header) => header.split(/:\s*/, 2) as [string, string]))
  return { status: Number(line!.split(' ')[1]), headers, text, body: JSON.parse(text) }
}

test('a 402 and a paid response are sent as documented, for each payment protocol', async (t) => {
  const paid = real
    .filter(({ endpoint }) => endpoint.price)
    .map(({ endpoint }): Route => ({ endpoint, run: () => endpoint.example.output }))
  const world = await startPaidRoutes(() => paid)
  t.after(() => world.stop())
  const { check } = createConformity(paid)
  for (const [name, pay] of PAYERS) {
    for (const { endpoint } of paid) {
      const { path, method, body } = exampleRequest(endpoint)
      const send = async (headers: Record<string, string>) => {
        const reply = await (body === undefined ? world.get(path, headers) : world.post(path, body, headers))
        check({ path, method }, reply)
        return reply
      }
      const paymentRequired = await send({ accept: 'application/problem+json' })
      assert.equal(paymentRequired.status, 402)
      assert.ok((paymentRequired.body as { accepts: unknown[] }).accepts.length > 0)
      const payment = await pay(paymentRequired, fundedWallet(world.chains, 10_000_000n), world.clock)
      const headers = { ...payment, 'payment-token': 't'.repeat(43) }
      assert.equal((await send(headers)).status, 200, `${name} ${endpoint.name}`)
      const bearer = { authorization: `Bearer onoma_credit_${'x'.repeat(43)}` }
      assert.equal((await send(bearer)).status, endpoint.sellsCredit ? 400 : 401)
      assert.equal((await send({ 'x-payment': 'garbage' })).status, 400)
      assert.equal((await send({ authorization: 'Payment garbage' })).status, 402)
      assert.equal((await send({ ...headers, 'x-payment': 'e30=', authorization: 'Payment x' })).status, 400)
    }
  }
})

test('the second base URL is a server of exactly the paths it serves', () => {
  const paths = document['paths'] as Record<string, { servers?: Json[]; get?: Json }>
  const urls = (servers: unknown) => (servers as { url: string }[] | undefined)?.map(({ url }) => url)
  assert.deepEqual(urls(paths['/metadata']!.servers), ['{ens_url}'])
  assert.deepEqual(urls(paths['/health']!.get!['servers']), ['http://127.0.0.1:8080', '{ens_url}'])
  const named = Object.entries(paths).filter(([, path]) => JSON.stringify(path).includes('{ens_url}'))
  assert.deepEqual(
    named.map(([path]) => path),
    ['/health', '/metadata'],
  )
  const { check } = createConformity(real, { ens: ENS })
  const ensHealth = ensListenerRoutes.find(({ endpoint }) => endpoint.path === '/health')!
  const health = JSON.stringify(ensHealth.endpoint.example.output)
  check(
    { path: '/health' },
    { status: 200, headers: new Headers({ 'content-type': 'application/json' }), text: health },
  )
  assert.ok(!JSON.stringify(openapiDocument(real, INFO)).includes('{ens_url}'))
})

test('without a rate limit the document does not mention one', () => {
  const text = JSON.stringify(openapiDocument(real, { ...INFO, rateLimit: null }))
  assert.match(text, /This service has no rate limit/)
  assert.doesNotMatch(text, /"RateLimit|"429"|Retry-After says/)
  assert.match(JSON.stringify(openapiDocument(real, { ...INFO, rateLimit: 7 })), /may make 7 requests in any minute/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { describeEndpoint } from './discovery.ts'

const output = { ok: true }
for (const [what, endpoint, input, routeTemplate] of [
  [
    'a path with a parameter and a query',
    {
      method: 'GET',
      path: '/v1/valuation/{domain}',
      example: { input: { domain: 'a.example', tier: 'full' }, output },
    },
    { type: 'http', method: 'GET', queryParams: { tier: 'full' }, pathParams: { domain: 'a.example' } },
    '/v1/valuation/:domain',
  ],
  [
    'a body',
    { method: 'POST', path: '/v1/valuation', example: { input: { domains: ['a.example'] }, output } },
    { type: 'http', method: 'POST', bodyType: 'json', body: { domains: ['a.example'] } },
    undefined,
  ],
] as const) {
  test(`${what}: described as it is called, and valid by its own schema`, () => {
    const described = describeEndpoint(endpoint) as Record<string, unknown>
    assert.deepEqual(described['info'], { input, output: { type: 'json', example: output } })
    assert.equal(described['routeTemplate'], routeTemplate)
    const schema = z.fromJSONSchema(described['schema'] as Parameters<typeof z.fromJSONSchema>[0])
    schema.parse(described['info'])
    assert.equal(schema.safeParse({ input: { ...input, more: 1 } }).success, false)
  })
}

test('a long example is left out', () => {
  const example = { input: {}, output: { text: 'x'.repeat(1000) } }
  const described = JSON.stringify(describeEndpoint({ method: 'GET', path: '/v1/intel', example }))
  assert.ok(described.length < 1000)
})

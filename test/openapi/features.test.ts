import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { route, type Endpoint } from '../../src/kernel/endpoint.ts'
import { openapiDocument } from '../../src/surfaces/openapi/document.ts'
import { startDoor } from '../support/door.ts'
import { exampleRequest, follow, operationOf, responsesOf } from './document-reader.ts'
import { appraise, changeThing, getThing, makeThing, oldThings, sampleRoutes, searchThings } from './sample-routes.ts'

const INFO = { version: '1.2.3', publicUrl: 'http://127.0.0.1:8080/' }
const sample = openapiDocument(sampleRoutes, INFO)

/** The error statuses of an endpoint, each with the codes of its examples. */
const errorsAt = (at: Pick<Endpoint, 'path' | 'method'>): Record<number, string[]> =>
  Object.fromEntries(
    responsesOf(sample, operationOf(sample, at))
      .filter(([status]) => status >= 400)
      .map(([status, { content }]) => [status, Object.keys(content!['application/json']!.examples!)]),
  )

const headersAt = (at: Pick<Endpoint, 'path' | 'method'>, status: number): string[] =>
  Object.keys(responsesOf(sample, operationOf(sample, at)).find(([one]) => one === status)![1].headers)

test('the document contains the version and the public URL', () => {
  assert.equal((sample['info'] as { version: string }).version, '1.2.3')
  assert.deepEqual(sample['servers'], [{ url: 'http://127.0.0.1:8080' }])
})

test('every capability is a tag with a description', () => {
  assert.deepEqual(sample['tags'], [
    { name: 'things', description: 'Things of every kind.' },
    { name: 'workshop', description: 'Where things are made.' },
    { name: 'valuation', description: 'What a thing is worth.' },
  ])
})

test('a parameter has its default, choices and limits, but not the limits of a safe integer', () => {
  assert.deepEqual(operationOf(sample, searchThings).parameters, [
    {
      name: 'kind',
      in: 'query',
      required: false,
      description: 'Only this kind.',
      schema: { type: 'string', enum: ['round', 'square'], examples: ['square'] },
    },
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many at most.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      example: 5,
    },
    {
      name: 'offset',
      in: 'query',
      required: false,
      description: 'How many to leave out.',
      schema: { type: 'integer' },
    },
    {
      name: 'q',
      in: 'query',
      required: true,
      description: 'Words to look for.',
      schema: { type: 'string' },
      example: 'wheel',
    },
  ])
})

test('a placeholder in the path is the first parameter and required', () => {
  const [first, second] = operationOf(sample, getThing).parameters!
  assert.deepEqual(first, {
    name: 'domain',
    in: 'path',
    required: true,
    description: 'A domain.',
    schema: { $ref: '#/components/schemas/Domain' },
    example: 'example.com',
  })
  assert.equal(second!['in'], 'query')
})

test('a placeholder that is not an input field is rejected', () => {
  const wrong = { ...oldThings, path: '/things/{colour}' as const }
  assert.throws(() => openapiDocument([route(wrong, () => ({ things: [] }))], INFO), /\{colour\} is not a field/)
})

test('the input of a POST is a body with an example, without the path parameters', () => {
  const { content } = operationOf(sample, makeThing).requestBody!
  assert.deepEqual(content['application/json'], {
    schema: { $ref: '#/components/schemas/NewThing' },
    example: { domain: 'example.com', years: 2 },
  })
  const change = operationOf(sample, changeThing)
  assert.deepEqual(
    change.parameters!.map(({ name, in: place }) => [name, place]),
    [['domain', 'path']],
  )
  assert.deepEqual(change.requestBody!.content['application/json'], {
    schema: {
      type: 'object',
      properties: { size: { type: 'integer', description: 'The new size.' } },
      required: ['size'],
    },
    example: { size: 3 },
  })
})

test('a response with several shapes lists each and has the example', () => {
  const response = follow(sample, operationOf(sample, searchThings).responses['200']!)
  assert.equal(response['description'], 'One thing or several.')
  assert.deepEqual(response['content'], {
    'application/json': {
      schema: {
        anyOf: [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/ThingList' }],
        description: 'One thing or several.',
      },
      example: searchThings.example.output,
    },
  })
})

test('an endpoint lists its own errors, those of its parameters and those of the door, by status', () => {
  assert.deepEqual(errorsAt(searchThings), {
    400: ['invalid_type', 'invalid_parameter', 'missing_parameter', 'invalid_request', 'too_many_tlds'],
    405: ['method_not_allowed'],
    408: ['invalid_request'],
    429: ['rate_limit_exceeded'],
    431: ['invalid_request'],
    500: ['check_failed', 'internal_error'],
    503: ['service_unavailable'],
  })
  assert.deepEqual(errorsAt(getThing), {
    400: ['invalid_parameter', 'missing_domain', 'invalid_domain', 'invalid_request'],
    404: ['domain_not_found'],
    405: ['method_not_allowed'],
    408: ['invalid_request'],
    429: ['rate_limited'],
    431: ['invalid_request'],
    500: ['internal_error'],
    503: ['service_unavailable'],
  })
  assert.deepEqual(errorsAt(oldThings), {
    400: ['invalid_request'],
    405: ['method_not_allowed'],
    408: ['invalid_request'],
    431: ['invalid_request'],
    500: ['internal_error'],
  })
})

test('the example of an invalid parameter is the message that the door sends', async () => {
  const messages = responsesOf(sample, operationOf(sample, searchThings)).find(([status]) => status === 400)![1]
    .content!['application/json']!.examples!
  const door = await startDoor(sampleRoutes)
  try {
    assert.deepEqual((await door.get('/v1/things')).body, messages['missing_parameter']!.value)
    assert.deepEqual((await door.get('/v1/things?q=a&kind=%3F')).body, messages['invalid_type']!.value)
    assert.deepEqual((await door.get('/v1/things?q=a&limit=%3F')).body, messages['invalid_parameter']!.value)
  } finally {
    await door.stop()
  }
})

test('the door sends the documented headers', async () => {
  const door = await startDoor(sampleRoutes)
  // Sent only if a parameter is unknown.
  const optional = new Set(['X-Ignored-Parameters'])
  const check = (headers: Headers, documented: readonly string[]) =>
    assert.deepEqual(
      documented.filter((name) => !headers.has(name) && !optional.has(name)),
      [],
    )
  try {
    for (const { endpoint } of sampleRoutes) {
      const { path, ...init } = exampleRequest(endpoint)
      const response = await door.get(path, init)
      // This door has no checkout.
      if (endpoint.price) continue
      assert.equal(response.status, 200, endpoint.name)
      check(response.headers, headersAt(endpoint, 200))
      const refused = await door.get(path, { method: 'DELETE' })
      assert.equal(refused.status, 405)
      check(refused.headers, headersAt(endpoint, 405))
    }
    const { path } = exampleRequest(searchThings)
    const { headers } = await door.get(path)
    const again = await door.get(path, { headers: { 'if-none-match': headers.get('etag')! } })
    assert.equal(again.status, 304)
    check(again.headers, headersAt(searchThings, 304))
    check((await door.get('/v1/things')).headers, headersAt(searchThings, 400))
  } finally {
    await door.stop()
  }
})

test('only endpoints that count against the rate limit document its headers', () => {
  assert.ok(headersAt(getThing, 200).includes('RateLimit'))
  assert.ok(headersAt(getThing, 429).includes('Retry-After'))
  assert.ok(!headersAt(oldThings, 200).includes('RateLimit'))
  assert.ok(!headersAt(oldThings, 500).includes('RateLimit'))
})

test('only a response with a TTL has an ETag and a 304', () => {
  assert.ok('304' in operationOf(sample, searchThings).responses)
  assert.ok(!('304' in operationOf(sample, getThing).responses))
  assert.ok(!headersAt(getThing, 200).includes('ETag'))
})

test('a deprecated endpoint says so and names its successor', () => {
  const operation = operationOf(sample, oldThings)
  assert.equal(operation['deprecated'], true)
  assert.match(String(operation['description']), /since 2026-11-15: use `\/v1\/things`/)
  assert.ok(headersAt(oldThings, 200).includes('Deprecation'))
  assert.ok(!('deprecated' in operationOf(sample, searchThings)))
})

test('a paid endpoint documents its price and the 402', () => {
  assert.deepEqual(operationOf(sample, appraise)['x-price'], appraise.price)
  assert.deepEqual(errorsAt(appraise)[402], ['payment_required'])
  assert.ok(!('x-price' in operationOf(sample, getThing)))
})

test('components have a fixed order, independent of the order of the endpoints', () => {
  const turned = openapiDocument(sampleRoutes.toReversed(), INFO)
  assert.equal(JSON.stringify(turned['components']), JSON.stringify(sample['components']))
  assert.deepEqual(Object.keys((sample['components'] as { schemas: object }).schemas), [
    'Domain',
    'Error',
    'NewThing',
    'Part',
    'PaymentRequired',
    'Problem',
    'Thing',
    'ThingList',
    'X402Offer',
  ])
})

test('duplicate endpoints and duplicate schema ids are rejected', () => {
  const [first] = sampleRoutes
  assert.throws(() => openapiDocument([first!, first!], INFO), /Two endpoints answer GET \/v1\/things/)
  const named = (id: string) => ({ ...first!, endpoint: { ...oldThings, output: z.object({}).meta({ id }) } })
  assert.throws(() => openapiDocument([named('Error')], INFO), /The schema id Error is taken/)
  assert.throws(() => openapiDocument([first!, named('Thing')], INFO), /Duplicate schema id "Thing"/)
})

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { composeRoutes } from '../../src/app/compose.ts'
import { version } from '../../src/app/version.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { endpoint, route, type Route } from '../../src/kernel/endpoint.ts'
import { ApiError, type ErrorCode } from '../../src/kernel/errors.ts'
import { errorBody } from '../../src/kernel/error-response.ts'
import { parseInput } from '../../src/kernel/input.ts'
import { PICTURE_ADDRESS } from '../../src/surfaces/http/pictures.ts'
import { problemBody } from '../../src/surfaces/http/problem.ts'
import { openapiDocument } from '../../src/surfaces/openapi/document.ts'
import { type Findings, lint } from './linters.ts'
import { follow, operationOf, operations, references, responsesOf, undescribed } from './document-reader.ts'
import { getThing, sampleRoutes, searchThings } from './sample-routes.ts'

const INFO = { version, publicUrl: 'http://127.0.0.1:8080' }
const GOLDEN = new URL('../golden/openapi.json', import.meta.url)

const { routes: realRoutes, ensListenerRoutes, close } = composeRoutes(loadConfig({}))
after(close)
const real = openapiDocument(realRoutes, {
  ...INFO,
  files: [PICTURE_ADDRESS],
  ens: { url: 'http://127.0.0.1:8081', routes: ensListenerRoutes },
})
const sample = openapiDocument(sampleRoutes, INFO)
const both: readonly (readonly [string, readonly Route[], typeof real])[] = [
  ['the real endpoints', realRoutes, real],
  ['the sample endpoints', sampleRoutes, sample],
]

test('the document of the service equals the golden file', () => {
  const text = `${JSON.stringify(real, null, 2)}\n`
  if (process.env['ONOMA_UPDATE_GOLDEN']) writeFileSync(GOLDEN, text)
  const lines = text.split('\n')
  const golden = readFileSync(GOLDEN, 'utf8').split('\n')
  const at = lines.findIndex((line, at) => line !== golden[at])
  const changed = `Line ${at + 1} of test/golden/openapi.json is ${golden[at]?.trim()}, but would be ${lines[at]?.trim()}.`
  const advice =
    'If the change is intended, run `npm run golden -- test/openapi/document.test.ts` and add it to the changelog.'
  assert.ok(at < 0 && lines.length === golden.length, `${changed} ${advice}`)
})

for (const [name, routes, document] of both) {
  describe(name, () => {
    test('every parameter and every field is described', () => {
      assert.deepEqual(undescribed(document), [])
    })

    test('every example is a valid request and a valid response', () => {
      for (const { endpoint } of routes) {
        const { input, output } = endpoint.example
        assert.doesNotThrow(() => parseInput(endpoint, input), `${endpoint.name}: its example request is rejected`)
        assert.ok(endpoint.output.safeParse(output).success, `${endpoint.name}: its example response is invalid`)
      }
    })

    test('every error has an example in both media types, with the body that the door sends', () => {
      for (const operation of operations(document)) {
        for (const [status, { content }] of responsesOf(document, operation)) {
          const { 'application/json': json, 'application/problem+json': problem } = content ?? {}
          // These are always JSON.
          if (status < 400 || [402, 408, 431, 501].includes(status)) continue
          const narrowed = (json!.schema['allOf'] as { properties?: { error: { enum: ErrorCode[] } } }[])[1]!
          const codes = narrowed.properties!.error.enum
          assert.deepEqual(Object.keys(json!.examples!), codes, operation.operationId)
          for (const code of codes) {
            const { error: _, message, ...extra } = json!.examples![code]!.value
            const error = new ApiError({ code, status }, String(message), { extra })
            const request = /[\w-]+$/.exec(String(problem!.examples![code]!.value['instance']))![0]
            assert.deepEqual(json!.examples![code]!.value, errorBody(error))
            assert.deepEqual(problem!.examples![code]!.value, problemBody(error, request, INFO.publicUrl))
          }
        }
      }
    })

    test('every reference resolves to another place in the document', () => {
      for (const { at, to } of references(document)) {
        assert.doesNotThrow(() => follow(document, { $ref: to }), `${at} refers to ${to}`)
        assert.notEqual(at, to)
      }
    })

    test('the document contains only values that JSON keeps', () => {
      assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
    })
  })
}

test('a field without a description is reported with its endpoint', () => {
  const { otherAnswers: _, ...rest } = searchThings
  const bare = endpoint({
    ...rest,
    input: z.object({ q: z.string() }),
    output: z.object({ found: z.array(z.object({ size: z.int() })).meta({ description: 'What was found.' }) }),
    complaints: {},
    example: { input: { q: 'wheel' }, output: { found: [] } },
  })
  const document = openapiDocument([route(bare, () => ({ found: [] }))], INFO)
  assert.deepEqual(undescribed(document), ['searchThings: q', 'searchThings: found[].size'])
})

describe('Redocly and Spectral', () => {
  let found: Record<string, Findings>
  before(async () => {
    const broken = structuredClone(sample)
    const { parameters, responses } = operationOf(broken, getThing)
    parameters![0]!['schema'] = { $ref: '#/components/schemas/Missing' }
    delete follow(broken, responses['200']!)['description']
    found = await lint({ real, sample, broken })
  })

  test('find no error and no warning in the document of the service', () => {
    assert.deepEqual(found['real'], { redocly: [], spectral: [] })
  })

  test('find no error and no warning in a document with every feature', () => {
    assert.deepEqual(found['sample'], { redocly: [], spectral: [] })
  })

  test('both report a broken reference and a response without description', () => {
    for (const findings of Object.values(found['broken']!)) {
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ text }) => text)
      for (const place of ['get/parameters/0/schema', 'get/responses/200']) {
        assert.ok(
          errors.some((text) => text.includes(place)),
          `nothing about ${place} in ${errors.join('\n')}`,
        )
      }
    }
  })
})

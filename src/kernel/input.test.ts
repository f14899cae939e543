import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as z from 'zod'
import { ApiError } from './errors.ts'
import { parseInput, parseTextField, textFieldKinds } from './input.ts'

const input = z.object({
  domain: z
    .string()
    .min(3)
    .max(10)
    .meta({ description: 'd', examples: ['a.com'] }),
  kind: z.enum(['one', 'two']).optional(),
  network: z.literal('mainnet').default('mainnet'),
  years: z.int().min(1).max(100).default(1),
  tags: z.array(z.string()).max(2).optional(),
  nested: z.strictObject({ a: z.number() }).optional(),
  price: z.number().optional(),
  even: z
    .int()
    .refine((value) => value % 2 === 0, 'is odd; give an even number.')
    .optional(),
})
const complaints = {
  domain: { missing: 'missing_domain', invalid: 'invalid_domain' },
  kind: { invalid: 'invalid_type' },
} as const

const refusal = (raw: Record<string, unknown>): [string, string] => {
  try {
    parseInput({ input, complaints }, raw)
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return [error.code, error.message]
  }
  return ['accepted', '']
}

describe('invalid input', () => {
  const rows: [raw: Record<string, unknown>, code: string, message: string][] = [
    [{}, 'missing_domain', 'domain is required; for example domain=a.com.'],
    [{ domain: undefined }, 'missing_domain', 'domain is required; for example domain=a.com.'],
    [{ domain: 'a' }, 'invalid_domain', 'domain must be at least 3 characters long, not 1.'],
    [{ domain: 'x'.repeat(99) }, 'invalid_domain', 'domain must be at most 10 characters long, not 99.'],
    [{ domain: 5 }, 'invalid_domain', 'domain must be a string, not 5.'],
    [{ domain: null }, 'invalid_domain', 'domain must be a string, not null.'],
    [{ domain: ['a'] }, 'invalid_domain', 'domain must be a string, not a list.'],
    [{ domain: 'a\u0000b' }, 'invalid_domain', 'domain contains a control character; leave it out.'],
    [{ domain: 'abc', kind: 'three' }, 'invalid_type', 'kind must be one of one, two, not "three".'],
    [
      { domain: 'abc', kind: 'x'.repeat(500) },
      'invalid_type',
      `kind must be one of one, two, not "${'x'.repeat(79)}….`,
    ],
    [{ domain: 'abc', network: 'sepolia' }, 'invalid_parameter', 'network must be mainnet, not "sepolia".'],
    [{ domain: 'abc', years: 101 }, 'invalid_parameter', 'years must be at most 100, not 101.'],
    [{ domain: 'abc', years: 1.5 }, 'invalid_parameter', 'years must be a whole number, not 1.5.'],
    [{ domain: 'abc', years: 'two' }, 'invalid_parameter', 'years must be a number, not "two".'],
    [{ domain: 'abc', tags: ['a', 'b', 'c'] }, 'invalid_parameter', 'tags must be at most 2 entries long, not 3.'],
    [{ domain: 'abc', tags: [1] }, 'invalid_parameter', 'tags.0 must be a string, not 1.'],
    [{ domain: 'abc', nested: { a: 1, b: 2 } }, 'invalid_parameter', 'nested has fields it may not have: "b".'],
    [{ domain: 'abc', nested: {} }, 'invalid_parameter', 'nested.a must be a number, not undefined.'],
    [{ domain: 'abc', even: 3 }, 'invalid_parameter', 'even: is odd; give an even number.'],
  ]
  for (const [raw, code, message] of rows) {
    test(`${JSON.stringify(raw).slice(0, 60)} is ${code}`, () => assert.deepEqual(refusal(raw), [code, message]))
  }

  test('an example is written as the caller would send it: as text, or as a JSON body', () => {
    const listed = z.object({ domains: z.array(z.string()).meta({ examples: [['a.com', 'b.org']] }) })
    const complaint = (message: string) => ({ code: 'missing_parameter', message })
    assert.throws(
      () => parseInput({ input: listed }, {}),
      complaint('domains is required; for example domains=a.com,b.org.'),
    )
    assert.throws(
      () => parseInput({ input: listed }, {}, 'json'),
      complaint('domains is required; for example {"domains":["a.com","b.org"]}.'),
    )
  })

  test('a missing enum or literal is missing, not invalid', () => {
    const strict = z.object({ kind: z.enum(['one', 'two']), network: z.literal('mainnet') })
    assert.throws(() => parseInput({ input: strict }, {}), { code: 'missing_parameter' })
    assert.throws(() => parseInput({ input: strict }, { kind: 'one' }), { code: 'missing_parameter' })
  })
})

test('any input is parsed or rejected with a declared error code', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(input.shape)), fc.string()), fc.anything()),
      (raw) => {
        const [code, message] = refusal(raw)
        assert.ok(message.length < 400, message)
        assert.ok(code)
      },
    ),
  )
})

test('text is parsed as the schema expects, and unchanged if it cannot be', () => {
  const reader = textFieldKinds(
    z.object({ n: z.int().default(1), p: z.number().optional(), b: z.boolean().optional(), t: z.string() }),
  )
  const rows: [string, string, unknown][] = [
    ['n', '5', 5],
    ['n', '-5', -5],
    ['n', ' 5 ', 5],
    ['n', '5.5', 5.5],
    ['n', '1e3', '1e3'],
    ['n', '0x10', '0x10'],
    ['n', '1_000', '1_000'],
    ['n', '٣', '٣'],
    ['n', 'Infinity', 'Infinity'],
    ['n', '9'.repeat(400), '9'.repeat(400)],
    ['n', '', undefined],
    ['p', '0.25', 0.25],
    ['b', 'true', true],
    ['b', '1', true],
    ['b', 'false', false],
    ['b', '0', false],
    ['b', 'yes', 'yes'],
    ['b', 'TRUE', 'TRUE'],
    ['t', ' a ', 'a'],
    ['t', '1', '1'],
    ['t', '   ', undefined],
  ]
  for (const [field, text, expected] of rows)
    assert.deepEqual(parseTextField(reader[field]!, text), expected, `${field}=${text}`)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProtocolError } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { META, parsePaymentMeta } from './payment-meta.ts'

const X402 = META.x402Payment
const MPP = META.mppCredential
const CREDENTIAL = {
  challenge: { id: 'abc', request: { b: [1, { d: 'é', c: null }], a: '1' }, opaque: 'xyz' },
  payload: { type: 'hash', hash: '0x1' },
  source: 'did:x',
}

const decode = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
const isInvalidParams = (error: unknown): boolean => {
  assert.ok(error instanceof ProtocolError, String(error))
  assert.equal(error.code, -32602)
  assert.ok(error.message.length < 200)
  return true
}

describe('a payment in _meta', () => {
  test('of x402 becomes the header of its version, with the token', () => {
    const payment = { x402Version: 2, payload: {} }
    const { headers, challengeId } = parsePaymentMeta({ [X402]: payment, [META.token]: 't' })!
    assert.deepEqual(Object.keys(headers), ['payment-signature', 'payment-token'])
    assert.deepEqual(decode(headers['payment-signature'] as string), payment)
    assert.deepEqual([headers['payment-token'], challengeId], ['t', undefined])
    assert.deepEqual(Object.keys(parsePaymentMeta({ [X402]: { x402Version: 1 } })!.headers), ['x-payment'])
  })

  test('of MPP becomes the Authorization header, with its request in canonical form', () => {
    const { headers, challengeId } = parsePaymentMeta({ [MPP]: CREDENTIAL })!
    const [, text] = /^Payment ([\w-]+)$/.exec(headers['authorization'] as string)!
    const { challenge, payload, source } = decode(text!) as {
      challenge: Record<string, string>
      payload: unknown
      source: unknown
    }
    assert.equal(Buffer.from(challenge['request']!, 'base64url').toString(), '{"a":"1","b":[1,{"c":null,"d":"é"}]}')
    assert.deepEqual([challenge['id'], challenge['opaque'], challengeId], ['abc', 'xyz', 'abc'])
    assert.deepEqual([payload, source], [CREDENTIAL.payload, CREDENTIAL.source])
  })

  test('is missing if neither key is an own member', () => {
    const inherited = Object.create({ [X402]: { x402Version: 2 } }) as object
    const polluting: unknown = JSON.parse(`{"__proto__": {"${X402}": {"x402Version": 2}}}`)
    for (const meta of [
      undefined,
      null,
      'x',
      1,
      [],
      [{ [X402]: {} }],
      {},
      { [META.token]: 't' },
      inherited,
      polluting,
    ]) {
      assert.equal(parsePaymentMeta(meta), undefined)
    }
  })

  test('that is malformed is refused as invalid params', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    for (const meta of [
      { [X402]: null },
      { [X402]: 'eyJ4NDAyVmVyc2lvbiI6Mn0=' },
      { [X402]: [] },
      { [X402]: {} },
      { [X402]: { x402Version: '2' } },
      { [X402]: { x402Version: 2, more: 'x'.repeat(1_000_000) } },
      { [X402]: { x402Version: 2, deep } },
      { [MPP]: 'Payment abc' },
      { [MPP]: {} },
      { [MPP]: { challenge: [] } },
      { [MPP]: { challenge: { request: 'eyJ9' } } },
      { [MPP]: { challenge: { request: { deep } } } },
      { [MPP]: { challenge: { request: {} }, payload: deep } },
      { [MPP]: { ...CREDENTIAL, payload: 'x'.repeat(1_000_000) } },
      { [MPP]: CREDENTIAL, [X402]: { x402Version: 2 } },
      { [MPP]: null, [X402]: null },
      { [X402]: { x402Version: 2 }, [META.token]: 1 },
      { [X402]: { x402Version: 2 }, [META.token]: ['t'] },
    ]) {
      assert.throws(() => parsePaymentMeta(meta), isInvalidParams)
    }
  })

  test('of any shape is read, refused or passed over, and never anything else', () => {
    const any = fc.jsonValue({ maxDepth: 5 })
    const odd = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'x402Version', 'challenge'), any)
    const version = fc.constantFrom<unknown>(1, 2, 3, '2', null)
    const x402 = fc.oneof(any, fc.record({ x402Version: version, payload: any }), odd)
    const challenge = fc.oneof(any, fc.record({ id: any, request: fc.oneof(any, fc.dictionary(fc.string(), any)) }))
    const credential = fc.oneof(any, odd, fc.record({ challenge, payload: any, source: any }))
    const members = { [X402]: x402, [MPP]: credential, [META.token]: any, constructor: any }
    fc.assert(
      fc.property(fc.oneof(any, fc.record(members, { requiredKeys: [] })), (meta) => {
        // As the wire gives it, where __proto__ is an own member.
        const received: unknown = JSON.parse(JSON.stringify(meta))
        try {
          const headers = parsePaymentMeta(received)?.headers ?? {}
          for (const [name, value] of Object.entries(headers)) {
            if (name === 'authorization') assert.match(String(value), /^Payment [\w-]+$/)
            else if (name !== 'payment-token') assert.match(String(value), /^[\w+/]+=*$/)
          }
        } catch (error) {
          isInvalidParams(error)
        }
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
      }),
      { numRuns: 1000 },
    )
  })
})

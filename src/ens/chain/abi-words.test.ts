import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeAbiParameters, getAddress, parseAbiParameters, stringToHex } from 'viem/utils'
import type { Hex } from '../../kernel/hex.ts'
import { addressAt, boolAt, bytesAt, bytesListAt, intAt, decodeText, uintAt } from './abi-words.ts'

const bytes = (max: number) =>
  fc.uint8Array({ maxLength: max }).map((each): Hex => `0x${Buffer.from(each).toString('hex')}`)

test('encoded values are decoded back', () => {
  const types = parseAbiParameters('uint256, int256, bool, address, bytes, bytes[]')
  const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const int = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .filter((each) => each.some((byte) => byte !== 0))
    .map((each) => getAddress(`0x${Buffer.from(each).toString('hex')}`))
  const values = fc.tuple(uint, int, fc.boolean(), address, bytes(100), fc.array(bytes(80), { maxLength: 6 }))
  fc.assert(
    fc.property(values, (values) => {
      const data = encodeAbiParameters(types, values)
      const read = [uintAt(data, 0), intAt(data, 1), boolAt(data, 2), addressAt(data, 3), bytesAt(data, 4)]
      assert.deepEqual([...read, bytesListAt(data, 5, 10)], values)
      assert.deepEqual(bytesListAt(data, 5, 2), values[5].slice(0, 2))
    }),
  )
})

test('any bytes decode to a value or undefined; nothing throws', () => {
  const hostile = fc.oneof(
    bytes(400),
    // Words that look like offsets and lengths get further than random bytes.
    fc
      .array(fc.oneof(fc.integer({ min: 0, max: 320 }), fc.integer({ min: 0, max: 2 ** 31 })), { maxLength: 16 })
      .map((words): Hex => `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`),
    fc.string({ unit: 'binary' }).map((text): Hex => `0x${text}`),
  )
  fc.assert(
    fc.property(hostile, fc.nat(8), (data, index) => {
      for (const read of [uintAt, intAt, boolAt, addressAt, bytesAt]) read(data, index)
      for (const entry of bytesListAt(data, index, 5) ?? []) if (entry !== undefined) bytesAt(entry, 0)
    }),
    { numRuns: 2000 },
  )
})

test('a list that claims more entries than the maximum is truncated', () => {
  const words = [32, 2 ** 31, 0, 0, 0].map((word) => word.toString(16).padStart(64, '0')).join('')
  assert.equal(bytesListAt(`0x${words}`, 0, 4)?.length, 4)
})

test('bytes longer than the data that holds them are undefined', () => {
  const data = encodeAbiParameters(parseAbiParameters('bytes'), ['0x1234'])
  assert.equal(bytesAt(data, 0), '0x1234')
  assert.equal(bytesAt(data.slice(0, -60) as Hex, 0), '0x1234', 'the padding may be missing')
  assert.equal(bytesAt(data.slice(0, -62) as Hex, 0), undefined)
})

test('the zero address and longer numbers are not addresses', () => {
  assert.equal(addressAt(`0x${'0'.repeat(64)}`, 0), undefined)
  assert.equal(addressAt(`0x${'1'.repeat(64)}`, 0), undefined)
  assert.equal(boolAt(`0x${'1'.repeat(64)}`, 0), undefined)
})

test('text is made safe to display and truncated', () => {
  const read = (text: string) => decodeText(stringToHex(text))
  assert.equal(read('plain ünï 🦊'), 'plain ünï 🦊')
  assert.equal(read('two\r\n\tlines'), 'two lines')
  assert.equal(read('a\u0000b\u001B[31mc\u007F\u0085d'), 'ab[31mcd')
  assert.equal(decodeText('0xff41'), '\uFFFDA')
  assert.equal(decodeText('0x'), '')
  assert.equal(read('x'.repeat(10_000)).length, 4096)
  const cut = read(`x${'🦊'.repeat(5000)}`)
  assert.ok(cut.isWellFormed() && cut.length <= 4096, 'no half of a surrogate pair is left at the end')
})

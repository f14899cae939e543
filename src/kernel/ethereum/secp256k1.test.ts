import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { bytesToHex, keccak256, recoverAddress } from 'viem/utils'
import { recoverSigner, signHash } from './secp256k1.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hexOf = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const
const anyKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map(hexOf)
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))

suite('secp256k1', () => {
  test('signs as viem does, and finds the signer', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, anyHash, async (key, hash) => {
        const { r, s, yParity } = await signHash(hash, key)
        const theirs = await sign({ hash, privateKey: key })
        assert.deepEqual({ r, s, yParity }, { r: theirs.r, s: theirs.s, yParity: theirs.yParity })
        const signer = await recoverSigner(hash, `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`)
        assert.equal(signer, privateKeyToAccount(key).address.toLowerCase())
      }),
      { numRuns: 50 },
    )
  })

  test('finds the same signer as viem for any 65 bytes, or none where viem finds none', async () => {
    await fc.assert(
      fc.asyncProperty(anyHash, anyHash, anyHash, fc.constantFrom('1b', '1c'), async (hash, r, s, v) => {
        const signature = `${r}${s.slice(2)}${v}` as const
        const expected = await recoverAddress({ hash, signature }).then(
          (address) => address.toLowerCase(),
          () => null,
        )
        assert.equal(await recoverSigner(hash, signature), expected)
      }),
      { numRuns: 100 },
    )
  })

  const hash = keccak256('0x01')
  const half = hexOf(1n).slice(2)
  for (const [what, signature] of [
    ['nothing', '0x'],
    ['64 bytes', `0x${half}${half}`],
    ['66 bytes', `0x${half}${half}1b00`],
    ['another v', `0x${half}${half}1d`],
    ['a v of 0', `0x${half}${half}00`],
    ['r = 0', `0x${hexOf(0n).slice(2)}${half}1b`],
    ['s = 0', `0x${half}${hexOf(0n).slice(2)}1b`],
    ['r above the order', `0x${hexOf(ORDER).slice(2)}${half}1b`],
    ['no hexadecimal', `0x${'zz'.repeat(64)}1b`],
  ] as const) {
    test(`finds no signer in ${what}`, async () => {
      assert.equal(await recoverSigner(hash, signature), null)
    })
  }
})

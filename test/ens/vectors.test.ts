/**
 * Checks names, hashes and content hashes against the ENS specifications. A few vectors are in this file; if
 * ONOMA_ENS_VECTORS names a folder, the published vectors in it are checked, too:
 * `ensip15-tests*.json` and `ensip15-custom-tests.json` (adraffy/ens-normalize.js), `namehash-eip137.json`,
 * `ethers-namehash.json` (ethers), `contenthash-vectors.json` (ensdomains/content-hash).
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { namehash } from 'viem'
import { normalize } from 'viem/ens'
import type { Hex } from '../../src/kernel/hex.ts'
import { decodeContenthash } from '../../src/ens/reading/contenthash.ts'
import { parseEnsName } from '../../src/ens/contract/names.ts'
import { nodeOf } from '../../src/ens/chain/namehash.ts'

/** A name and its normalized form (itself if left out), or an error if it has none. */
type NameVector = { readonly name: string; readonly norm?: string; readonly error?: boolean }
type ContentVector = { readonly codec: string; readonly value: string; readonly contenthash: Hex }

/** The ENSIP-15 normalization of a name by the library the vectors come from; undefined if invalid. */
const normalised = (name: string): string | undefined => {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}

/** How our parser contradicts a vector; undefined if it does not. It may reject valid names, but never accept others. */
function contradiction({ name, norm = name, error = false }: NameVector): string | undefined {
  const theirs = error ? undefined : norm
  const parsed = parseEnsName(name)
  if (parsed.ok) {
    // Surrounding white space is trimmed before any rule applies.
    const isOurs = theirs === parsed.name || theirs === `${parsed.name}.eth` || name !== name.trim()
    return isOurs ? undefined : `${JSON.stringify(name)} was parsed as ${parsed.name}, but is ${theirs ?? 'invalid'}`
  }
  const label = theirs?.replace(/\.eth$/, '') ?? ''
  const isInOurRule = name === theirs && /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(label)
  return isInOurRule ? `${JSON.stringify(name)} was rejected: ${parsed.problem}` : undefined
}

const CODECS: Readonly<Record<string, string>> = { swarm: 'bzz', skynet: 'sia', arweave: 'ar' }

/** Ours is compared for names directly under .eth, viem's for all. */
function holdNode(name: string, hash: Hex): void {
  assert.equal(namehash(name), hash, name)
  const parsed = parseEnsName(name)
  if (parsed.ok && name === `${parsed.name}.eth`) assert.equal(nodeOf(parsed.name), hash, name)
}

function holdContent({ codec, value, contenthash }: ContentVector): void {
  assert.deepEqual(decodeContenthash(contenthash), { ok: true, protocol: CODECS[codec] ?? codec, value })
}

suite('selected vectors', () => {
  const names: NameVector[] = [
    { name: 'abc' },
    { name: 'abc.eth' },
    { name: 'a-b' },
    { name: '123' },
    { name: 'ABC', norm: 'abc' },
    { name: 'AbC.eTh', norm: 'abc.eth' },
    { name: 'ab\u212A', norm: 'abk' },
    { name: 'xn--abc', error: true },
    { name: 'ab--c', error: true },
    { name: 'a_b', error: true },
    { name: 'a b', error: true },
    { name: 'a..b', error: true },
    { name: 'abс', error: true },
    { name: '…', error: true },
    { name: '\u200Dabc', error: true },
    { name: 'abc\uFE0F', norm: 'abc' },
    { name: '🦊🦊🦊' },
  ]
  for (const vector of names) {
    test(`${JSON.stringify(vector.name)} is normalized as in ENSIP-15, or rejected`, () => {
      assert.equal(normalised(vector.name), vector.error ? undefined : (vector.norm ?? vector.name))
      assert.equal(contradiction(vector), undefined)
    })
  }

  /** From EIP-137. */
  const hashes: [name: string, hash: Hex][] = [
    ['', `0x${'00'.repeat(32)}`],
    ['eth', '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'],
    ['foo.eth', '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f'],
  ]
  for (const [name, hash] of hashes) {
    test(`${JSON.stringify(name)} has the hash of EIP-137`, () => holdNode(name, hash))
  }

  const zeros = '00'.repeat(32)
  const contents: ContentVector[] = [
    { codec: 'ipfs', value: `bafybei${'a'.repeat(52)}`, contenthash: `0xe30101701220${zeros}` },
    { codec: 'ipfs', value: `bafkrei${'a'.repeat(52)}`, contenthash: `0xe30101551220${zeros}` },
    { codec: 'swarm', value: zeros, contenthash: `0xe40101fa011b20${zeros}` },
    { codec: 'onion', value: 'abcdefghijklmnop', contenthash: `0xbc03${hexOf('abcdefghijklmnop')}` },
    { codec: 'onion3', value: 'a2'.repeat(28), contenthash: `0xbd03${hexOf('a2'.repeat(28))}` },
    { codec: 'skynet', value: `${'A'.repeat(44)}AA`, contenthash: `0x90b2c605${'00'.repeat(34)}` },
    { codec: 'arweave', value: 'A'.repeat(43), contenthash: `0x90b2ca05${zeros}` },
    { codec: 'adnl', value: 'ab'.repeat(32), contenthash: `0x90b2da05${'ab'.repeat(32)}` },
  ]
  for (const vector of contents)
    test(`a content hash of ${vector.codec} decodes to its value`, () => holdContent(vector))
})

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

const folder = process.env['ONOMA_ENS_VECTORS'] ?? ''

const published = () => {
  const load = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

  test('names match every ENSIP-15 vector', () => {
    const files = globSync('ensip15-{tests*,custom-tests}.json', { cwd: folder })
    assert.ok(files.length > 0, 'no vector files found')
    for (const file of files) {
      const vectors = (load(file) as (NameVector & { version?: string })[]).filter(({ version }) => !version)
      const theirs = vectors.filter(({ name, norm = name, error }) => normalised(name) !== (error ? undefined : norm))
      assert.deepEqual(theirs, [], `${file}: the library has other rules than the vectors`)
      assert.deepEqual(vectors.map(contradiction).filter(Boolean), [], file)
    }
  })

  test('hashes match every namehash vector', () => {
    const ethers = load('ethers-namehash.json') as { name: string; expected: Hex }[]
    const own = Object.entries(load('namehash-eip137.json') as Record<string, Hex>)
    for (const [name, hash] of [...own, ...ethers.map(({ name, expected }) => [name, expected] as const)]) {
      const plain = normalised(name) ?? name
      holdNode(plain, hash)
    }
  })

  test('content hashes match every vector', () => {
    assert.ok(existsSync(join(folder, 'contenthash-vectors.json')))
    for (const vector of load('contenthash-vectors.json') as ContentVector[]) holdContent(vector)
  })
}

if (folder !== '') suite('the published vectors', published)

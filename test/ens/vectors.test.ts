/**
 * Names, hashes and content hashes as the ENS specifications have them. A few of each stand here; with
 * ONOMA_ENS_VECTORS naming a folder, the published vectors in it are held too:
 * `ensip15-tests*.json` and `ensip15-custom-tests.json` (adraffy/ens-normalize.js), `namehash-eip137.json`,
 * `ethers-namehash.json` (ethers), `contenthash-vectors.json` (ensdomains/content-hash).
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { namehash as viemNamehash } from 'viem'
import { normalize } from 'viem/ens'
import type { Hex } from '../../src/ens/chain/chain.ts'
import { readContenthash } from '../../src/ens/reading/contenthash.ts'
import { parseEnsName } from '../../src/ens/contract/names.ts'
import { labelhash, namehash, nodeOf } from '../../src/ens/chain/namehash.ts'

/** A name, what it becomes (itself where left out), or that it becomes nothing. */
type NameVector = { readonly name: string; readonly norm?: string; readonly error?: boolean }
type ContentVector = { readonly codec: string; readonly value: string; readonly contenthash: Hex }

/** What ENSIP-15 makes of a name, as the library that the vectors come from sees it. */
const normalised = (name: string): string | undefined => {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}

/** Why our reading of a name goes against a vector, or undefined where it does not. We may read fewer, never others. */
function contradiction({ name, norm = name, error = false }: NameVector): string | undefined {
  const theirs = error ? undefined : norm
  const reading = parseEnsName(name)
  if (reading.ok) {
    // White space around a name is dropped at the door, before any rule.
    const isOurs = theirs === reading.name || theirs === `${reading.name}.eth` || name !== name.trim()
    return isOurs ? undefined : `${JSON.stringify(name)} was read as ${reading.name}, but is ${theirs ?? 'invalid'}`
  }
  const label = theirs?.replace(/\.eth$/, '') ?? ''
  const isInOurRule = name === theirs && /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(label)
  return isInOurRule ? `${JSON.stringify(name)} was refused: ${reading.problem}` : undefined
}

const CODECS: Readonly<Record<string, string>> = { swarm: 'bzz', skynet: 'sia', arweave: 'ar' }

function holdContent({ codec, value, contenthash }: ContentVector): void {
  assert.deepEqual(readContenthash(contenthash), { ok: true, protocol: CODECS[codec] ?? codec, value })
}

suite('a few of each', () => {
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
    test(`${JSON.stringify(vector.name)} is read as ENSIP-15 has it, or not at all`, () => {
      assert.equal(normalised(vector.name), vector.error ? undefined : (vector.norm ?? vector.name))
      assert.equal(contradiction(vector), undefined)
    })
  }

  /** Of EIP-137 itself. */
  const hashes: [name: string, hash: Hex][] = [
    ['', `0x${'00'.repeat(32)}`],
    ['eth', '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'],
    ['foo.eth', '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f'],
  ]
  for (const [name, hash] of hashes) {
    test(`${JSON.stringify(name)} has the hash of EIP-137`, () => assert.equal(namehash(name), hash))
  }
  test('a label has the hash its token is numbered by', () =>
    assert.equal(labelhash('eth'), '0x4f5b812789fc606be1b3b16908db13fc7a9adf7ca72641f84d75b47069d3d7f0'))

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
  for (const vector of contents) test(`a content hash of ${vector.codec} says what it holds`, () => holdContent(vector))
})

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

const folder = process.env['ONOMA_ENS_VECTORS'] ?? ''

const published = () => {
  const load = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

  test('every name of ENSIP-15', () => {
    const files = globSync('ensip15-{tests*,custom-tests}.json', { cwd: folder })
    assert.ok(files.length > 0, 'there are none')
    for (const file of files) {
      const vectors = (load(file) as (NameVector & { version?: string })[]).filter(({ version }) => !version)
      const theirs = vectors.filter(({ name, norm = name, error }) => normalised(name) !== (error ? undefined : norm))
      assert.deepEqual(theirs, [], `${file}: the library has other rules than the vectors`)
      assert.deepEqual(vectors.map(contradiction).filter(Boolean), [], file)
    }
  })

  test('every hash of a name', () => {
    const ethers = load('ethers-namehash.json') as { name: string; expected: Hex }[]
    const own = Object.entries(load('namehash-eip137.json') as Record<string, Hex>)
    for (const [name, hash] of [...own, ...ethers.map(({ name, expected }) => [name, expected] as const)]) {
      const plain = normalised(name) ?? name
      assert.equal(namehash(plain), hash, name)
      assert.equal(viemNamehash(plain), hash, name)
      const reading = parseEnsName(name)
      if (reading.ok && plain === `${reading.name}.eth`) assert.equal(nodeOf(reading.name), hash, name)
    }
  })

  test('every content hash', () => {
    assert.ok(existsSync(join(folder, 'contenthash-vectors.json')))
    for (const vector of load('contenthash-vectors.json') as ContentVector[]) holdContent(vector)
  })
}

if (folder !== '') suite('the published vectors', published)

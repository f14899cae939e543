/** Changes to a name's records: read from a request, refused with a sentence, or made into one call. */
import { encodeFunctionData, getAddress } from 'viem/utils'
import { closestMatch } from '../../kernel/closest-match.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import { resolverAbi } from '../chain/abi.ts'
import type { Call, Hex } from '../chain/chain.ts'
import { setAddress } from './commitment.ts'
import { readContenthash } from '../reading/contenthash.ts'
import { addressProblem } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { TEXT_KEYS, type TextKey } from '../reading/records.ts'

/** As the contract lists it. An empty value clears the record. */
export type RecordChange = {
  readonly type: 'addr' | 'text' | 'contenthash'
  readonly key: string
  readonly value: string
}

export type ChangesReading =
  | { readonly ok: true; readonly changes: readonly RecordChange[] }
  | { readonly ok: false; readonly problem: string }

export type WantedRecords = {
  readonly addresses?: Readonly<Record<string, string>> | undefined
  readonly text?: Readonly<Record<string, string>> | undefined
  readonly contenthash?: string | undefined
}

/** Every 32 bytes cost as much as a transfer of ether; nobody means to store more than this. */
const MAX_TEXT_BYTES = 4096
const MAX_CONTENT_BYTES = 128
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`

/** The contract's neutral spellings of the four handles. */
const NEUTRAL: Readonly<Record<string, TextKey>> = {
  'com.social_a': 'com.twitter',
  'com.social_b': 'com.github',
  'com.social_c': 'com.discord',
  'org.social_d': 'org.telegram',
}

/** The key on the chain, or undefined for one that is not supported. */
export function textKeyOf(key: string): TextKey | undefined {
  const lower = key.trim().toLowerCase()
  return TEXT_KEYS.find((each) => each === lower) ?? (Object.hasOwn(NEUTRAL, lower) ? NEUTRAL[lower] : undefined)
}

class Refusal extends Error {}
const refuse = (problem: string): never => {
  throw new Refusal(problem)
}

export function readChanges(wanted: WantedRecords): ChangesReading {
  try {
    const changes = [
      ...contentChanges(wanted.contenthash),
      ...textChanges(wanted.text),
      ...addressChanges(wanted.addresses),
    ]
    if (changes.length === 0) refuse('There is nothing to change: give addresses, text or contenthash.')
    return { ok: true, changes }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message }
    throw error
  }
}

function contentChanges(text: string | undefined): RecordChange[] {
  if (text === undefined) return []
  const value = text.trim().toLowerCase()
  const change = (value: string): RecordChange[] => [{ type: 'contenthash', key: 'contenthash', value }]
  if (value === '' || value === '0x') return change('')
  if (!/^0x(?:[0-9a-f]{2})+$/.test(value)) refuse('contenthash must be 0x and an even number of hexadecimal digits.')
  if (value.length > 2 + 2 * MAX_CONTENT_BYTES) refuse(`contenthash has more than ${MAX_CONTENT_BYTES} bytes.`)
  const content = readContenthash(value as Hex)
  return content.ok ? change(value) : refuse(`contenthash ${content.problem}`)
}

function textChanges(text: WantedRecords['text'] = {}): RecordChange[] {
  const found = new Map<TextKey, string>()
  for (const [given, value] of Object.entries(text)) {
    const shown = given.slice(0, 80)
    const key = textKeyOf(given) ?? refuse(`text.${shown} is not supported; ${hint(given)}`)
    if (found.has(key)) refuse(`text.${shown} is the same record as another one of the request.`)
    if (hasControlCharacter(value)) refuse(`text.${shown} contains a control character; leave it out.`)
    if (!value.isWellFormed()) refuse(`text.${shown} has half of a character in it.`)
    found.set(key, value)
  }
  const bytes = [...found.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > MAX_TEXT_BYTES) refuse(`text has ${bytes} bytes in all; at most ${MAX_TEXT_BYTES} can be set at once.`)
  return [...found].map(([key, value]) => ({ type: 'text', key, value }))
}

function hint(key: string): string {
  const guess = closestMatch(key, [...TEXT_KEYS, ...Object.keys(NEUTRAL)])
  return guess === undefined ? `supported are ${TEXT_KEYS.join(', ')}.` : `did you mean ${guess}?`
}

function addressChanges(addresses: WantedRecords['addresses'] = {}): RecordChange[] {
  const found: RecordChange[] = []
  for (const [coin, given] of Object.entries(addresses)) {
    const isEther = coin.trim().toUpperCase() === 'ETH' || coin.trim() === '60'
    if (!isEther) refuse(`addresses.${coin.slice(0, 80)} is not supported; only ETH is.`)
    if (found.length > 0) refuse('addresses names ETH twice.')
    const address = given.trim()
    const problem = address === '' ? undefined : addressProblem(address)
    if (problem !== undefined) refuse(`addresses.ETH ${problem}`)
    const isCleared = address === '' || BigInt(address) === 0n
    found.push({ type: 'addr', key: 'ETH', value: isCleared ? '' : getAddress(address) })
  }
  return found
}

/** All changes in one transaction, which happen together or not at all. */
export function updateCall(resolver: Hex, name: EnsName, changes: readonly RecordChange[]): Call {
  const node = nodeOf(name)
  const calls = changes.map((change) => encodeChange(node, change))
  return { to: resolver, data: encodeFunctionData({ abi: resolverAbi, functionName: 'multicall', args: [calls] }) }
}

function encodeChange(node: Hex, { type, key, value }: RecordChange): Hex {
  switch (type) {
    // Resolvers before 2025 refuse an address of no bytes; zeros clear it in all of them.
    case 'addr':
      return setAddress(node, (value || ZERO_ADDRESS) as Hex)
    case 'text':
      return encodeFunctionData({ abi: resolverAbi, functionName: 'setText', args: [node, key, value] })
    case 'contenthash':
      return encodeFunctionData({
        abi: resolverAbi,
        functionName: 'setContenthash',
        args: [node, (value || '0x') as Hex],
      })
  }
}

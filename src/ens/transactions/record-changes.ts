/** Validates requested record changes and encodes them as one call. */
import { encodeFunctionData } from '../../kernel/ethereum/abi.ts'
import { getAddress } from '../../kernel/ethereum/bytes.ts'
import { closestMatch } from '../../kernel/closest-match.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import { resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Call } from '../chain/chain.ts'
import { encodeSetAddress } from './commitment.ts'
import { decodeContenthash } from '../reading/contenthash.ts'
import { addressProblem } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'
import { TEXT_KEYS, type TextKey } from '../reading/records.ts'

/** As in the response. An empty value clears the record. */
export type RecordChange = {
  readonly type: 'addr' | 'text' | 'contenthash'
  readonly key: string
  readonly value: string
}

export type ParsedRecordChanges =
  | { readonly ok: true; readonly changes: readonly RecordChange[] }
  | { readonly ok: false; readonly problem: string }

export type RequestedRecords = {
  readonly addresses?: Readonly<Record<string, string>> | undefined
  readonly text?: Readonly<Record<string, string>> | undefined
  readonly contenthash?: string | undefined
}

/** Every 32 bytes cost about as much gas as a transfer, so larger values are surely a mistake. */
const MAX_TEXT_BYTES = 4096
const MAX_CONTENTHASH_BYTES = 128
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`

/** The API's neutral names for four handles. */
const NEUTRAL_ALIASES: Readonly<Record<string, TextKey>> = {
  'com.social_a': 'com.twitter',
  'com.social_b': 'com.github',
  'com.social_c': 'com.discord',
  'org.social_d': 'org.telegram',
}

/** The key on the chain; undefined if not supported. */
export function parseTextKey(key: string): TextKey | undefined {
  const lower = key.trim().toLowerCase()
  return (
    TEXT_KEYS.find((each) => each === lower) ??
    (Object.hasOwn(NEUTRAL_ALIASES, lower) ? NEUTRAL_ALIASES[lower] : undefined)
  )
}

class InvalidChange extends Error {}
const reject = (problem: string): never => {
  throw new InvalidChange(problem)
}

export function parseRecordChanges(wanted: RequestedRecords): ParsedRecordChanges {
  try {
    const changes = [
      ...contentChanges(wanted.contenthash),
      ...textChanges(wanted.text),
      ...addressChanges(wanted.addresses),
    ]
    if (changes.length === 0) reject('No record to change: give at least one of addresses, text and contenthash.')
    return { ok: true, changes }
  } catch (error) {
    if (error instanceof InvalidChange) return { ok: false, problem: error.message }
    throw error
  }
}

function contentChanges(text: string | undefined): RecordChange[] {
  if (text === undefined) return []
  const value = text.trim().toLowerCase()
  const change = (value: string): RecordChange[] => [{ type: 'contenthash', key: 'contenthash', value }]
  if (value === '' || value === '0x') return change('')
  if (!/^0x(?:[0-9a-f]{2})+$/.test(value)) reject('contenthash must be 0x and an even number of hexadecimal digits.')
  if (value.length > 2 + 2 * MAX_CONTENTHASH_BYTES) reject(`contenthash has more than ${MAX_CONTENTHASH_BYTES} bytes.`)
  const content = decodeContenthash(value as Hex)
  return content.ok ? change(value) : reject(`contenthash ${content.problem}`)
}

function textChanges(text: RequestedRecords['text'] = {}): RecordChange[] {
  const found = new Map<TextKey, string>()
  for (const [given, value] of Object.entries(text)) {
    const shown = given.slice(0, 80)
    const key = parseTextKey(given) ?? reject(`text.${shown} is not supported; ${suggestKey(given)}`)
    if (found.has(key)) reject(`text.${shown} sets the same record as another key of the request.`)
    if (hasControlCharacter(value)) reject(`text.${shown} contains a control character; remove it.`)
    if (!value.isWellFormed()) reject(`text.${shown} is not valid Unicode: it contains half of a surrogate pair.`)
    found.set(key, value)
  }
  const bytes = [...found.values()].reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > MAX_TEXT_BYTES) reject(`text has ${bytes} bytes in total; at most ${MAX_TEXT_BYTES} can be set at once.`)
  return [...found].map(([key, value]) => ({ type: 'text', key, value }))
}

function suggestKey(key: string): string {
  const guess = closestMatch(key, [...TEXT_KEYS, ...Object.keys(NEUTRAL_ALIASES)])
  return guess === undefined ? `use one of ${TEXT_KEYS.join(', ')}.` : `did you mean ${guess}?`
}

function addressChanges(addresses: RequestedRecords['addresses'] = {}): RecordChange[] {
  const found: RecordChange[] = []
  for (const [coin, given] of Object.entries(addresses)) {
    const isEther = coin.trim().toUpperCase() === 'ETH' || coin.trim() === '60'
    if (!isEther) reject(`addresses.${coin.slice(0, 80)} is not supported; use ETH.`)
    if (found.length > 0) reject('addresses contains ETH twice.')
    const address = given.trim()
    const problem = address === '' ? undefined : addressProblem(address)
    if (problem !== undefined) reject(`addresses.ETH ${problem}`)
    const isCleared = address === '' || BigInt(address) === 0n
    found.push({ type: 'addr', key: 'ETH', value: isCleared ? '' : getAddress(address) })
  }
  return found
}

/** All changes in one transaction: either all of them happen or none. */
export function updateCall(resolver: Hex, name: EnsName, changes: readonly RecordChange[]): Call {
  const node = nodeOf(name)
  const calls = changes.map((change) => encodeChange(node, change))
  return { to: resolver, data: encodeFunctionData({ abi: resolverAbi, functionName: 'multicall', args: [calls] }) }
}

function encodeChange(node: Hex, { type, key, value }: RecordChange): Hex {
  switch (type) {
    // Resolvers before 2025 reject an empty address; the zero address clears the record in all versions.
    case 'addr':
      return encodeSetAddress(node, (value || ZERO_ADDRESS) as Hex)
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

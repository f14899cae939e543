/** What a name says of itself: one question for all its records, and a reading of whatever comes back. */
import { encodeFunctionData, toFunctionSelector } from 'viem/utils'
import { resolverAbi } from '../chain/abi.ts'
import type { Call, Hex, Returned } from '../chain/chain.ts'
import { COIN_ETH } from '../transactions/commitment.ts'
import type { EnsName } from '../contract/names.ts'
import { dnsEncoded, nodeOf } from '../chain/namehash.ts'
import { addressAt, bytesAt, bytesListAt, textOf } from '../chain/abi-words.ts'

/** The text records that are read and written, by their names on the chain (ENSIP-5, ENSIP-18). */
export const TEXT_KEYS = [
  'avatar',
  'description',
  'display',
  'email',
  'url',
  'com.twitter',
  'com.github',
  'com.discord',
  'org.telegram',
] as const
export type TextKey = (typeof TEXT_KEYS)[number]

/** Only records that are set. */
export type Records = {
  readonly address?: Hex
  readonly text: { readonly [Key in TextKey]?: string }
  readonly contenthash?: Hex
}

export type RecordsReading =
  | { readonly kind: 'records'; readonly resolver?: Hex; readonly records: Records }
  /** They lie at an address the name's owner chose, which is not asked (EIP-3668). */
  | { readonly kind: 'offchain' }
  | { readonly kind: 'no_resolver' }
  /** The resolver refused, or the universal resolver answered what it never should. */
  | { readonly kind: 'unreadable'; readonly data: Hex }

export type RecordsQuestion = {
  call(universalResolver: Hex, name: EnsName, node?: Hex): Call
  read(returned: Returned): RecordsReading
}

const OFFCHAIN_LOOKUP = '0x556f1830'
const RESOLVER_ERROR = '0x95c0c752'
/** No resolver is set, what is set is no contract, or (in later versions) either. */
const NO_RESOLVER = new Set(['0x77209fe8', '0x1e9535f2', '0x5fe9a5df'])
const RESOLVE = toFunctionSelector('resolve(bytes,bytes)')
/** Stands for a node that is not known yet: no hash is likely to look like it. */
const PLACEHOLDER: Hex = `0x${'5c'.repeat(32)}`

/** Encoding is most of the work of a read, and of this question only the node changes: it is encoded once. */
export function recordsQuestion(keys: readonly TextKey[]): RecordsQuestion {
  const encode = (call: Parameters<typeof encodeFunctionData<typeof resolverAbi>>[0]) => encodeFunctionData(call)
  const calls = [
    encode({ abi: resolverAbi, functionName: 'addr', args: [PLACEHOLDER, COIN_ETH] }),
    encode({ abi: resolverAbi, functionName: 'addr', args: [PLACEHOLDER] }),
    encode({ abi: resolverAbi, functionName: 'contenthash', args: [PLACEHOLDER] }),
    ...keys.map((key) => encode({ abi: resolverAbi, functionName: 'text', args: [PLACEHOLDER, key] })),
  ]
  const multicall = encode({ abi: resolverAbi, functionName: 'multicall', args: [calls] }).slice(2)
  const paddedMulticall = tail(multicall).split(PLACEHOLDER.slice(2))

  return {
    call(universalResolver, name, node = nodeOf(name)) {
      const dns = tail(dnsEncoded(name).slice(2))
      const data = word(64) + word(64 + dns.length / 2) + dns + paddedMulticall.join(node.slice(2))
      return { to: universalResolver, data: `${RESOLVE}${data}` }
    },
    read: (returned) => readRecords(returned, keys),
  }
}

const word = (value: number): string => value.toString(16).padStart(64, '0')
/** Bytes as an argument: their length, and zeros up to the next word. */
const tail = (digits: string): string =>
  word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')

function readRecords({ ok, data }: Returned, keys: readonly TextKey[]): RecordsReading {
  if (!ok) return readRefusal(data)
  const answer = bytesAt(data, 0)
  const answers = answer && bytesListAt(answer, 0, 3 + keys.length)
  if (!answers) return { kind: 'unreadable', data }
  if (answers.some((each) => each?.startsWith(OFFCHAIN_LOOKUP))) return { kind: 'offchain' }
  const [byCoin, byNode, content, ...texts] = answers
  const address = (byCoin && addressOf(bytesAt(byCoin, 0))) ?? (byNode && addressAt(byNode, 0))
  const contenthash = content && filled(bytesAt(content, 0))
  const text: { [Key in TextKey]?: string } = {}
  for (const [at, key] of keys.entries()) {
    const bytes = texts[at] && bytesAt(texts[at], 0)
    const value = bytes && textOf(bytes)
    if (value) text[key] = value
  }
  const resolver = addressAt(data, 1)
  const records = { ...(address && { address }), text, ...(contenthash && { contenthash }) }
  return { kind: 'records', ...(resolver && { resolver }), records }
}

function readRefusal(data: Hex): RecordsReading {
  const selector = data.slice(0, 10)
  const inner = selector === RESOLVER_ERROR ? bytesAt(`0x${data.slice(10)}`, 0) : undefined
  if (selector === OFFCHAIN_LOOKUP || inner?.startsWith(OFFCHAIN_LOOKUP)) return { kind: 'offchain' }
  return NO_RESOLVER.has(selector) ? { kind: 'no_resolver' } : { kind: 'unreadable', data }
}

/** Twenty bytes, and not all of them zero. */
const addressOf = (bytes: Hex | undefined): Hex | undefined =>
  bytes?.length === 42 ? addressAt(`0x${bytes.slice(2).padStart(64, '0')}`, 0) : undefined

/** Longest content hash that is shown: the longest in use are a fraction of it. */
const MAX_CONTENT_DIGITS = 2 * 1024

const filled = (bytes: Hex | undefined): Hex | undefined =>
  bytes && bytes.length > 2 && bytes.length <= 2 + MAX_CONTENT_DIGITS ? bytes : undefined

/** Reads all records of a name through the universal resolver in one call. */
import { encodeFunctionData } from '../../kernel/ethereum/abi.ts'
import { resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Call, CallResult } from '../chain/chain.ts'
import { COIN_TYPE_ETH } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { dnsEncode, nodeOf } from '../chain/namehash.ts'
import { addressAt, bytesAt, bytesListAt, decodeText } from '../chain/abi-words.ts'

/** Supported text record keys (ENSIP-5, ENSIP-18). */
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

export type RecordsResult =
  | { readonly kind: 'records'; readonly resolver?: Hex; readonly records: Records }
  /** Stored off-chain at a gateway the owner chose, which is not called (EIP-3668). */
  | { readonly kind: 'offchain' }
  | { readonly kind: 'no_resolver' }
  /** The resolver reverted, or the result cannot be decoded. */
  | { readonly kind: 'unreadable'; readonly data: Hex }

export type RecordsRead = {
  call(universalResolver: Hex, name: EnsName, node?: Hex): Call
  decode(returned: CallResult): RecordsResult
}

const OFFCHAIN_LOOKUP = '0x556f1830'
const RESOLVER_ERROR = '0x95c0c752'
/** Errors of the universal resolver's versions: no resolver is set, or it is not a contract. */
const NO_RESOLVER = new Set(['0x77209fe8', '0x1e9535f2', '0x5fe9a5df'])
/** Of `resolve(bytes,bytes)`. */
const RESOLVE: Hex = '0x9061b923'
/** Replaced by the node of a name; unlikely to occur in the encoded call otherwise. */
const PLACEHOLDER: Hex = `0x${'5c'.repeat(32)}`

/** Encodes the call once, with a placeholder for the node: encoding is most of the work, and only the node changes. */
export function createRecordsRead(keys: readonly TextKey[]): RecordsRead {
  const encode = (call: Parameters<typeof encodeFunctionData<typeof resolverAbi>>[0]) => encodeFunctionData(call)
  const calls = [
    encode({ abi: resolverAbi, functionName: 'addr', args: [PLACEHOLDER, COIN_TYPE_ETH] }),
    encode({ abi: resolverAbi, functionName: 'addr', args: [PLACEHOLDER] }),
    encode({ abi: resolverAbi, functionName: 'contenthash', args: [PLACEHOLDER] }),
    ...keys.map((key) => encode({ abi: resolverAbi, functionName: 'text', args: [PLACEHOLDER, key] })),
  ]
  const multicall = encode({ abi: resolverAbi, functionName: 'multicall', args: [calls] }).slice(2)
  const paddedMulticall = encodeBytes(multicall).split(PLACEHOLDER.slice(2))

  return {
    call(universalResolver, name, node = nodeOf(name)) {
      const dns = encodeBytes(dnsEncode(name).slice(2))
      const data = word(64) + word(64 + dns.length / 2) + dns + paddedMulticall.join(node.slice(2))
      return { to: universalResolver, data: `${RESOLVE}${data}` }
    },
    decode: (returned) => decodeRecords(returned, keys),
  }
}

const word = (value: number): string => value.toString(16).padStart(64, '0')
/** ABI encoding of dynamic bytes: length, then data padded to whole words. */
const encodeBytes = (digits: string): string =>
  word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')

function decodeRecords({ ok, data }: CallResult, keys: readonly TextKey[]): RecordsResult {
  if (!ok) return decodeRevert(data)
  const answer = bytesAt(data, 0)
  const answers = answer && bytesListAt(answer, 0, 3 + keys.length)
  if (!answers) return { kind: 'unreadable', data }
  if (answers.some((each) => each?.startsWith(OFFCHAIN_LOOKUP))) return { kind: 'offchain' }
  const [byCoin, byNode, content, ...texts] = answers
  const address = (byCoin && addressFromBytes(bytesAt(byCoin, 0))) ?? (byNode && addressAt(byNode, 0))
  const contenthash = content && presentContenthash(bytesAt(content, 0))
  const text: { [Key in TextKey]?: string } = {}
  for (const [at, key] of keys.entries()) {
    const bytes = texts[at] && bytesAt(texts[at], 0)
    const value = bytes && decodeText(bytes)
    if (value) text[key] = value
  }
  const resolver = addressAt(data, 1)
  const records = { ...(address && { address }), text, ...(contenthash && { contenthash }) }
  return { kind: 'records', ...(resolver && { resolver }), records }
}

function decodeRevert(data: Hex): RecordsResult {
  const selector = data.slice(0, 10)
  const inner = selector === RESOLVER_ERROR ? bytesAt(`0x${data.slice(10)}`, 0) : undefined
  if (selector === OFFCHAIN_LOOKUP || inner?.startsWith(OFFCHAIN_LOOKUP)) return { kind: 'offchain' }
  return NO_RESOLVER.has(selector) ? { kind: 'no_resolver' } : { kind: 'unreadable', data }
}

/** Undefined unless exactly 20 bytes and not the zero address. */
const addressFromBytes = (bytes: Hex | undefined): Hex | undefined =>
  bytes?.length === 42 ? addressAt(`0x${bytes.slice(2).padStart(64, '0')}`, 0) : undefined

/** Longer content hashes are treated as not set; real ones are far shorter. */
const MAX_CONTENTHASH_DIGITS = 2 * 1024

const presentContenthash = (bytes: Hex | undefined): Hex | undefined =>
  bytes && bytes.length > 2 && bytes.length <= 2 + MAX_CONTENTHASH_DIGITS ? bytes : undefined

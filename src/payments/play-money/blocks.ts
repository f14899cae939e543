import { keccak256, stringToBytes } from '../../kernel/ethereum/bytes.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { INVALID_PARAMS, type Method, RpcFault } from './rpc.ts'
import {
  parseAddress,
  parseBytes,
  parseObject,
  parseQuantity,
  encodeQuantity,
  encodeWord,
  ZERO_ADDRESS,
} from './rpc-values.ts'

/** An event a contract emitted. */
export type Event = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

export type MinedTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly type: Hex
  readonly nonce: bigint
  readonly input: Hex
  readonly succeeded: boolean
  readonly events: readonly Event[]
  readonly gas: bigint
  readonly gasUsed: bigint
  readonly gasPrice: bigint
  /** Fields specific to one chain. */
  readonly extra?: Readonly<Record<string, unknown>>
}

export type Blocks = {
  /** Timestamp of the next block, in seconds since the epoch. */
  now(): number
  /** Mines a transaction in its own block. Returns the receipt. */
  mine(mined: MinedTransaction): object
  has(hash: Hex): boolean
  readonly methods: Readonly<Record<string, Method>>
}

type Options = {
  readonly clock: Clock
  readonly chainId: number
  /** Time of block 0 (milliseconds since the epoch) and block interval. */
  readonly genesisMs: number
  readonly blockMs: number
  /** Maximum number of transactions to keep. */
  readonly capacity: number
  readonly baseFee: () => bigint
}

type MinedRecord = { readonly number: number; readonly receipt: Receipt; readonly transaction: object }
type Receipt = { readonly transactionHash: Hex; readonly logs: readonly Log[] }
type Log = Event & { readonly blockNumber: Hex; readonly blockHash: Hex }

/** The limit of public nodes. */
const MAX_LOG_RANGE_BLOCKS = 10_000
const BLOOM: Hex = `0x${'0'.repeat(512)}`

/** Fields that are the same in every block. */
const EMPTY_BLOCK = {
  number: '0x0',
  hash: '0x0',
  parentHash: '0x0',
  timestamp: '0x0',
  baseFeePerGas: '0x0',
  gasLimit: encodeQuantity(30_000_000),
  gasUsed: '0x0',
  miner: ZERO_ADDRESS,
  transactions: [],
  uncles: [],
  difficulty: '0x0',
  totalDifficulty: '0x0',
  extraData: '0x',
  logsBloom: BLOOM,
  nonce: '0x0000000000000000',
  mixHash: encodeWord(0),
  sha3Uncles: encodeWord(0),
  stateRoot: encodeWord(0),
  transactionsRoot: encodeWord(0),
  receiptsRoot: encodeWord(0),
  size: '0x0',
}

/**
 * The block number follows the clock, as on the real chains; every transaction is mined at once in its own block. Only
 * the last `capacity` transactions are kept.
 */
export function createBlocks({ clock, chainId, genesisMs, blockMs, capacity, baseFee }: Options): Blocks {
  const records = new Map<Hex, MinedRecord>()
  let last = 0
  let latestSecond = 0

  const now = () => (latestSecond = Math.max(latestSecond, Math.floor(clock.now() / 1000)))
  const head = () => Math.max(last, Math.floor((clock.now() - genesisMs) / blockMs))
  const hashOf = (number: number): Hex => keccak256(stringToBytes(`onoma-simulated ${chainId} ${number}`))

  /** After a burst of transactions, block numbers run ahead of the clock; timestamps never do. */
  const secondOf = (number: number) => Math.min(now(), Math.floor((genesisMs + number * blockMs) / 1000))

  const block = (number: number) => ({
    ...EMPTY_BLOCK,
    number: encodeQuantity(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: encodeQuantity(secondOf(number)),
    baseFeePerGas: encodeQuantity(baseFee()),
  })

  const numberAt = (tag: unknown): number => {
    if (tag === 'earliest') return 0
    if (tag === undefined || typeof tag !== 'string' || !tag.startsWith('0x')) return head()
    return Number(parseQuantity(tag))
  }

  return {
    now,
    has: (hash) => records.has(hash),
    mine(mined) {
      const { hash, from, to, type, nonce, input, gas, gasUsed, gasPrice, extra = {} } = mined
      last = Math.max(head(), last + 1)
      const place = { blockHash: hashOf(last), blockNumber: encodeQuantity(last), transactionIndex: '0x0' }
      const logs = (mined.succeeded ? mined.events : []).map((event, index) => ({
        ...event,
        ...place,
        transactionHash: hash,
        logIndex: encodeQuantity(index),
        removed: false,
      }))
      const common = { from, to, type, ...place, ...extra }
      const receipt = {
        ...common,
        transactionHash: hash,
        status: mined.succeeded ? '0x1' : '0x0',
        gasUsed: encodeQuantity(gasUsed),
        cumulativeGasUsed: encodeQuantity(gasUsed),
        effectiveGasPrice: encodeQuantity(gasPrice),
        contractAddress: null,
        logsBloom: BLOOM,
        logs,
      }
      const prices = { gasPrice: encodeQuantity(gasPrice), gas: encodeQuantity(gas) }
      const signature = { v: '0x0', r: encodeWord(0), s: encodeWord(0) }
      const rest = { hash, nonce: encodeQuantity(nonce), input, value: '0x0', chainId: encodeQuantity(chainId) }
      records.set(hash, { number: last, receipt, transaction: { ...common, ...rest, ...prices, ...signature } })
      for (const oldest of records.keys()) {
        if (records.size <= capacity) break
        records.delete(oldest)
      }
      return receipt
    },
    methods: {
      eth_chainId: () => encodeQuantity(chainId),
      net_version: () => String(chainId),
      web3_clientVersion: () => 'onoma-simulated/1',
      eth_syncing: () => false,
      eth_accounts: () => [],
      eth_blockNumber: () => encodeQuantity(head()),
      eth_getBlockByNumber: ([tag]) => (numberAt(tag) > head() ? null : block(numberAt(tag))),
      eth_getTransactionReceipt: ([hash]) => records.get(parseBytes(hash))?.receipt ?? null,
      eth_getTransactionByHash: ([hash]) => records.get(parseBytes(hash))?.transaction ?? null,
      eth_getLogs: ([filter]) => {
        const { address, topics = [], fromBlock, toBlock, blockHash } = parseObject(filter)
        const [from, to] = [numberAt(fromBlock), numberAt(toBlock)]
        if (to - from > MAX_LOG_RANGE_BLOCKS) throw new RpcFault(-32_614, 'eth_getLogs is limited to a 10,000 range')
        if (!Array.isArray(topics)) throw new RpcFault(INVALID_PARAMS, 'invalid topics')
        const addresses = address === undefined ? undefined : [address].flat().map(parseAddress)
        const fits = (log: Log) =>
          (!addresses || addresses.includes(log.address)) &&
          topics.every((wanted: unknown, at) => matchesTopic(wanted, log.topics[at]))
        return [...records.values()]
          .filter(({ number }) => (blockHash === undefined ? number >= from && number <= to : true))
          .flatMap(({ receipt }) => receipt.logs)
          .filter((log) => fits(log) && (blockHash === undefined || log.blockHash === blockHash))
      },
    },
  }
}

/** A filter topic is null (any), one value, or several alternatives. */
const matchesTopic = (wanted: unknown, topic: Hex | undefined): boolean =>
  wanted === null || (topic !== undefined && [wanted].flat().some((each) => parseBytes(each) === topic))

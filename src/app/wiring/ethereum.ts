import { readFileSync } from 'node:fs'
import type { Chain } from '../../ens/chain/chain.ts'
import { type Contracts, MAINNET, parseContracts } from '../../ens/chain/deployments.ts'
import { rpcChain } from '../../ens/sources/rpc.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream } from '../../kernel/upstream/client.ts'
import { createEthereumRpc } from '../../protocols/ethereum/rpc.ts'
import { addressPolicy } from './address-policy.ts'
import type { Config } from '../settings/config.ts'

/** Ethereum as the ENS capability knows it. */
export type Ethereum = {
  readonly chain: Chain
  readonly contracts: Contracts
  /** Throws where a node the operator named serves another chain. */
  start(): Promise<void>
  close(): Promise<void>
}

type Needs = { readonly config: Config; readonly version: string; readonly clock: Clock; readonly log: Log }

/** Free for everybody, and limited by their hosts: good for a first look. */
const PUBLIC_NODES = ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org']
const MAINNET_CHAIN = 1
const DEADLINE_MS = 8_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

export function openEthereum({ config, version, clock, log }: Needs): Ethereum {
  const contracts = readContracts(config.ensContractsFile)
  const upstream = createUpstream({
    name: 'ethereum',
    userAgent: `onoma/${version}`,
    clock,
    ...addressPolicy({ config, log, settings: ['ONOMA_ETH_RPC_URLS'] }),
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_ANSWER_BYTES,
    connections: 64,
    maxQueue: 2_000,
  })
  // The same URL twice is one node: it would only agree with itself.
  const urls = [...new Set(config.ethRpcUrls ?? PUBLIC_NODES)]
  const rpc = createEthereumRpc({ upstream, urls, chainId: MAINNET_CHAIN, clock, log, deadlineMs: DEADLINE_MS })
  return {
    chain: rpcChain({ rpc, multicall: contracts.multicall3 }),
    contracts,
    async start() {
      if (!config.ethRpcUrls) {
        log.info(
          {},
          'ONOMA_ETH_RPC_URLS is not set: ENS asks two public Ethereum nodes, which limit how often they answer.',
        )
        return
      }
      if (urls.length === 1) {
        log.info(
          {},
          'ONOMA_ETH_RPC_URLS names one node: ENS transactions are made from what it says, without a second node to compare it with.',
        )
      }
      await rpc.verify()
    },
    close: () => upstream.close(),
  }
}

function readContracts(file: string | null): Contracts {
  if (file === null) return MAINNET
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`ONOMA_ENS_CONTRACTS names a file that cannot be read: ${file}`, { cause })
  }
  const reading = parseContracts(text)
  if (reading.ok) return reading.contracts
  throw new Error(`The file of ONOMA_ENS_CONTRACTS is wrong: ${reading.problems.join(' ')}`)
}

import { readFileSync } from 'node:fs'
import type { Chain } from '../../ens/chain/chain.ts'
import { type Contracts, MAINNET, parseContracts } from '../../ens/chain/deployments.ts'
import { rpcChain } from '../../ens/sources/rpc.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createEthereumRpc } from '../../protocols/ethereum/rpc.ts'
import type { Config } from '../settings/config.ts'
import { type Outbound, PROVIDERS } from './outbound.ts'

/** The Ethereum node and contracts that the ENS capability reads from. */
export type Ethereum = {
  readonly chain: Chain
  readonly contracts: Contracts
  /**
   * Checks which chain the nodes serve that the operator named; one that serves another chain is logged and not used.
   * Never rejects. The start of the service does not wait for it.
   */
  start(): Promise<void>
  close(): Promise<void>
}

type Needs = { readonly config: Config; readonly outbound: Outbound; readonly clock: Clock; readonly log: Log }

/** Public nodes need no key but limit requests: enough to try ENS without a node of one's own. */
export const PUBLIC_NODES = ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org']
const MAINNET_CHAIN_ID = 1

export function openEthereum({ config, outbound, clock, log }: Needs): Ethereum {
  const contracts = loadContracts(config.ensContractsFile)
  const upstream = outbound.open('ethereum')
  // Remove duplicates: one node listed twice would only agree with itself.
  const urls = [...new Set(config.ethRpcUrls ?? PUBLIC_NODES)]
  const rpc = createEthereumRpc({
    upstream,
    urls,
    chainId: MAINNET_CHAIN_ID,
    clock,
    log,
    timeoutMs: PROVIDERS.ethereum.timeoutMs,
  })
  return {
    chain: rpcChain({ rpc, multicall: contracts.multicall3 }),
    contracts,
    async start() {
      if (!config.ethRpcUrls) {
        log.info({}, 'ONOMA_ETH_RPC_URLS is not set: ENS uses two public Ethereum nodes, which have rate limits.')
        return
      }
      if (urls.length === 1) {
        log.info(
          {},
          'ONOMA_ETH_RPC_URLS names one node: ENS transactions are prepared from its answers without a second node to compare them with.',
        )
      }
      await rpc
        .verify()
        .catch((error: unknown) => log.error({ error }, 'ONOMA_ETH_RPC_URLS names a node of another chain.'))
    },
    close: () => upstream.close(),
  }
}

function loadContracts(file: string | null): Contracts {
  if (file === null) return MAINNET
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`ONOMA_ENS_CONTRACTS names a file that cannot be read: ${file}`, { cause })
  }
  const parsed = parseContracts(text)
  if (parsed.ok) return parsed.contracts
  throw new Error(`The file named by ONOMA_ENS_CONTRACTS is not valid: ${parsed.problems.join(' ')}`)
}

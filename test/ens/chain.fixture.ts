import { after, afterEach, before, beforeEach } from 'node:test'
import { NEIGHBOUR, WALLET } from '../../sandbox/chain/accounts.ts'
import { type Chain, startChain } from '../../sandbox/chain/start.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import type { Log } from '../../src/kernel/log.ts'
import { type Ens, type Relay, startEns, startRelay, throwAwayFolder, type Wallet, walletOf } from '../support/ens.ts'

export const DAY_SECONDS = 86_400
export const YEAR_SECONDS = 365 * DAY_SECONDS
/** Caches of the service expire within this. */
const MAX_TTL_MS = 60_000
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

type Stoppable = { stop(): Promise<void> }

/** Starts a chain for the suite and resets it before each test. `prepare` runs once, before the state to reset to. */
function useChain(prepare?: () => Promise<void>) {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const atEnd: Stoppable[] = []
  let folder: ReturnType<typeof throwAwayFolder>
  let chain: Chain
  let snapshot: unknown
  before(async () => {
    folder = throwAwayFolder()
    chain = await startChain({ clock })
    await prepare?.()
    snapshot = await chain.rpc('evm_snapshot')
  })
  beforeEach(async () => {
    await chain.rpc('evm_revert', [snapshot])
    snapshot = await chain.rpc('evm_snapshot')
  })
  after(async () => {
    for (const each of atEnd.toReversed()) await each.stop()
    await chain.stop()
    folder.remove()
  })
  return {
    clock,
    /** Stopped after the suite, before the chain. */
    atEnd,
    get chain() {
      return chain
    },
    get folder() {
      return folder
    },
  }
}

/** Relays in front of the chain's node, and services that use them. All are stopped after each test. */
export function useNodes(prepare?: () => Promise<void>) {
  const base = useChain(prepare)
  const { clock } = base
  const running: Stoppable[] = []
  afterEach(async () => {
    for (const each of running.splice(0).toReversed()) await each.stop()
  })
  return {
    clock,
    get chain() {
      return base.chain
    },
    async startRelay(): Promise<Relay> {
      const relay = await startRelay(base.chain.url)
      running.push(relay)
      return relay
    },
    /** Stops a relay before the end of the test. */
    async stopRelay(relay: Relay): Promise<void> {
      running.splice(running.indexOf(relay), 1)
      await relay.stop()
    },
    /** Starts a service with these nodes, in order of preference. */
    async startEns(nodes: readonly { readonly url: string }[], log: Log = silent): Promise<Ens> {
      const ONOMA_ETH_RPC_URLS = nodes.map(({ url }) => url).join(',')
      const ens = await startEns({ settings: { ...base.folder.settings, ONOMA_ETH_RPC_URLS }, clock, log })
      running.push(ens)
      return ens
    },
  }
}

/** One service and two wallets for the suite. */
export function useService() {
  const base = useChain()
  const { clock } = base
  let ens: Ens
  let alice: Wallet
  let bob: Wallet
  before(async () => {
    ens = await startEns({ settings: { ...base.chain.settings, ...base.folder.settings }, clock })
    base.atEnd.push(ens)
    alice = walletOf(WALLET.privateKey, base.chain.url)
    bob = walletOf(NEIGHBOUR.privateKey, base.chain.url)
  })
  // The chain was reset: drop what the service has cached.
  beforeEach(() => clock.advance(MAX_TTL_MS + 1))
  return {
    get chain() {
      return base.chain
    },
    get ens() {
      return ens
    },
    get alice() {
      return alice
    },
    get bob() {
      return bob
    },
  }
}

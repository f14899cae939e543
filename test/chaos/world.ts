import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aftermarket } from '../../sandbox/aftermarket.ts'
import { auctions } from '../../sandbox/auctions.ts'
import { ethereum } from '../../sandbox/chain/ethereum.ts'
import { engines } from '../../sandbox/engines.ts'
import { throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { pages } from '../../sandbox/pages.ts'
import { startWorld } from '../../sandbox/world.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Fault } from '../support/fault.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { newWallet } from '../support/paid-wallets.ts'
import { startFacilitator } from './facilitator.ts'
import { BASE_HOST, FACILITATOR_HOST, TEMPO_HOST } from './hosts.ts'
import { createProxies } from './proxies.ts'
import { startS3, startTlsFront, startTrademarks } from './servers.ts'

/** Everything outside the service, each behind a fault proxy, and the truth to compare its answers with. */
export type ChaosWorld = {
  /** The settings of a service, all of whose upstreams are proxies, by who settles its payments. */
  readonly settings: Readonly<Record<Settlement, Readonly<Record<string, string>>>>
  /** Breaks one upstream. */
  set(group: string, fault: Fault): void
  heal(): void
  readonly truthOf: Names['truthOf']
  /** Marks of the trademark register. */
  readonly marks: readonly string[]
  readonly chains: PaidChains
  readonly folder: string
  stop(): Promise<void>
}

/** Its own key, a facilitator, or nobody: with play money the service may visit pages on this machine. */
export type Settlement = 'key' | 'facilitator' | 'play money'

/** Starts the simulated internet, a store for screenshots and the chains that are paid on. */
export async function startChaosWorld(seed: number, clock: Clock): Promise<ChaosWorld> {
  const started: { stop(): Promise<unknown> }[] = []
  const running = <T extends { stop(): Promise<unknown> }>(one: T): T => {
    started.push(one)
    return one
  }
  const stop = async () => {
    for (const one of started.splice(0).toReversed()) await one.stop()
  }
  try {
    const world = running(await startWorld([ethereum, aftermarket, auctions, engines, pages], { seed, clock }))
    const names = running(await startNames({ seed, tls: true }))
    const chains = running(await startPaidChains(clock))
    // A real node does not call itself simulated.
    chains.onLine(({ method }, ask) => (method === 'web3_clientVersion' ? 'tempo/v1' : ask()))
    const certificate = throwAwayCertificate([BASE_HOST, TEMPO_HOST, FACILITATOR_HOST])
    const base = running(await startTlsFront(chains.urls.base, certificate))
    const tempo = running(await startTlsFront(chains.urls.tempo, certificate))
    const till = running(await startFacilitator(chains, clock))
    const facilitator = running(await startTlsFront(till.url, certificate))
    const trademarks = running(await startTrademarks(world.folder, seed, clock))
    const s3 = running(await startS3(join(world.folder, 's3')))
    const caFile = join(world.folder, 'ca.pem')
    await writeFile(caFile, `${await readFile(names.caFile!, 'utf8')}\n${certificate.cert}`)
    const proxies = createProxies(seed)
    started.push(proxies)
    const all = await proxies.reroute(
      {
        ...world.settings,
        ...names.settings,
        ...s3.settings,
        ...trademarks.settings,
        ONOMA_X402_RPC_URLS: `https://${BASE_HOST}:${base.port}`,
        ONOMA_MPP_RPC_URLS: `https://${TEMPO_HOST}:${tempo.port}`,
        ONOMA_X402_FACILITATOR_URL: `https://${FACILITATOR_HOST}:${facilitator.port}`,
        NODE_EXTRA_CA_CERTS: caFile,
      },
      join(world.folder, 'proxied'),
    )
    const { ONOMA_SANDBOX_PAGES, ONOMA_X402_FACILITATOR_URL, ONOMA_X402_RPC_URLS, ONOMA_MPP_RPC_URLS, ...common } = all
    const live = {
      ...common,
      ONOMA_X402_RPC_URLS: ONOMA_X402_RPC_URLS!,
      ONOMA_MPP_RPC_URLS: ONOMA_MPP_RPC_URLS!,
      ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
      ONOMA_PUBLIC_URL: 'https://shop.example',
      // One of the invented feeds has the format of a provider whose terms restrict it.
      ONOMA_AUCTIONS_TERMS: 'accepted',
    }
    return {
      settings: {
        key: { ...live, ONOMA_X402_SETTLEMENT_KEY: newWallet().key },
        facilitator: { ...live, ONOMA_X402_FACILITATOR_URL: ONOMA_X402_FACILITATOR_URL! },
        'play money': { ...common, ONOMA_SANDBOX_PAGES: ONOMA_SANDBOX_PAGES!, ONOMA_SANDBOX: 'on' },
      },
      set: proxies.set,
      heal: proxies.heal,
      marks: trademarks.marks,
      truthOf: names.truthOf,
      chains,
      folder: world.folder,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import S3rver from 's3rver'
import { aftermarket } from '../../sandbox/aftermarket.ts'
import { auctions } from '../../sandbox/auctions.ts'
import { ethereum } from '../../sandbox/chain/ethereum.ts'
import { engines } from '../../sandbox/engines.ts'
import { type Certificate, throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { startWorld } from '../../sandbox/world.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Fault, FaultProxy } from '../support/fault.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { type PaidChains, startPaidChains } from '../support/paid-chains.ts'
import { newWallet } from '../support/paid-wallets.ts'
import { BASE_HOST, TEMPO_HOST } from './hosts.ts'

/** Everything outside the service, each behind a fault proxy, and the truth to compare its answers with. */
export type ChaosWorld = {
  /** The settings of a service with real payments, all of whose upstreams are proxies. */
  readonly settings: Readonly<Record<string, string>>
  /** Breaks one of `UPSTREAMS`. */
  set(group: string, fault: Fault): void
  heal(): void
  readonly truthOf: Names['truthOf']
  readonly chains: PaidChains
  readonly folder: string
  stop(): Promise<void>
}

const GROUPS: Readonly<Record<string, string>> = {
  ONOMA_DNS_SERVERS: 'dns',
  ONOMA_TLD_SERVERS: 'dns',
  ONOMA_RDAP_BOOTSTRAP: 'rdap',
  ONOMA_WHOIS_SERVERS: 'whois',
  ONOMA_ETH_RPC_URLS: 'ethereum',
  ONOMA_AFTERMARKET_SOURCE_A_URL: 'marketplaces',
  ONOMA_AFTERMARKET_SOURCE_B_URL: 'marketplaces',
  ONOMA_AUCTIONS_SOURCE_A_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_B_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_C_URL: 'feeds',
  ONOMA_ENGINE_A_URL: 'engines',
  ONOMA_ENGINE_B_URL: 'engines',
  ONOMA_SCREENSHOTS_S3_URL: 's3',
  ONOMA_X402_RPC_URLS: 'base',
  ONOMA_MPP_RPC_URLS: 'tempo',
}
export const UPSTREAMS: readonly string[] = [...new Set(Object.values(GROUPS))]
const ADDRESS = /127\.0\.0\.1:\d+/g

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
    const world = running(await startWorld([ethereum, aftermarket, auctions, engines], { seed, clock }))
    const names = running(await startNames({ seed, tls: true }))
    const chains = running(await startPaidChains(clock))
    // A real node does not call itself simulated.
    chains.onLine(({ method }, ask) => (method === 'web3_clientVersion' ? 'tempo/v1' : ask()))
    const certificate = throwAwayCertificate([BASE_HOST, TEMPO_HOST])
    const base = running(await startTlsFront(chains.urls.base, certificate))
    const tempo = running(await startTlsFront(chains.urls.tempo, certificate))
    const s3 = running(await startS3(join(world.folder, 's3')))
    const caFile = join(world.folder, 'ca.pem')
    await writeFile(caFile, `${await readFile(names.caFile!, 'utf8')}\n${certificate.cert}`)
    const direct = {
      ...world.settings,
      ...names.settings,
      ...s3.settings,
      ONOMA_X402_RPC_URLS: `https://${BASE_HOST}:${base.port}`,
      ONOMA_MPP_RPC_URLS: `https://${TEMPO_HOST}:${tempo.port}`,
    }
    const proxies = createProxies(seed)
    started.push(proxies)
    return {
      settings: {
        ...(await proxies.reroute(direct, join(world.folder, 'proxied'))),
        ONOMA_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
        ONOMA_X402_SETTLEMENT_KEY: newWallet().key,
        ONOMA_PUBLIC_URL: 'https://shop.example',
        NODE_EXTRA_CA_CERTS: caFile,
      },
      set: proxies.set,
      heal: () => UPSTREAMS.forEach((group) => proxies.set(group, { kind: 'none' })),
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

/** One proxy for each address of a server, in the settings or in a file that a setting names. */
function createProxies(seed: number) {
  const proxies = new Map<string, { readonly group: string; readonly proxy: FaultProxy }>()
  const through = async (group: string, target: string): Promise<string> => {
    const known = proxies.get(target)
    if (known) return known.proxy.address
    const random = seededRandom(seed + proxies.size)
    const proxy = await startFaultProxy({ target, random, udp: group === 'dns' })
    proxies.set(target, { group, proxy })
    return proxy.address
  }
  const rerouteText = async (group: string, text: string): Promise<string> => {
    // Nodes that are paid on have a name; its proxy has another port.
    const named = /^https:\/\/([a-z.]+):(\d+)$/.exec(text)
    if (named) {
      const address = await through(group, `127.0.0.1:${named[2]}`)
      return `https://${named[1]}:${address.split(':')[1]}`
    }
    const targets = [...new Set(text.match(ADDRESS) ?? [])]
    const routes = new Map<string, string>()
    for (const target of targets) routes.set(target, await through(group, target))
    return text.replaceAll(ADDRESS, (target) => routes.get(target)!)
  }
  return {
    async reroute(settings: Readonly<Record<string, string>>, folder: string): Promise<Record<string, string>> {
      await mkdir(folder)
      const rerouted: Record<string, string> = { ...settings }
      for (const [name, value] of Object.entries(settings)) {
        const group = GROUPS[name]
        if (group === undefined) continue
        if (!existsSync(value)) rerouted[name] = await rerouteText(group, value)
        else {
          rerouted[name] = join(folder, name)
          await writeFile(rerouted[name], await rerouteText(group, await readFile(value, 'utf8')))
        }
      }
      return rerouted
    },
    set(group: string, fault: Fault): void {
      for (const one of proxies.values()) if (one.group === group) one.proxy.set(fault)
    },
    stop: () => Promise.all([...proxies.values()].map(({ proxy }) => proxy.stop())),
  }
}

/** Terminates TLS in front of a node that speaks plain HTTP. */
async function startTlsFront(url: string, certificate: Certificate) {
  const sockets = new Set<Socket>()
  const server = createServer(certificate, (client) => {
    const node = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [client, node]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        node.destroy()
      })
    }
    client.pipe(node).pipe(client)
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function startS3(directory: string) {
  await mkdir(directory)
  const configureBuckets = [{ name: 'pictures' }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  return {
    settings: {
      ONOMA_SCREENSHOTS_S3_URL: `http://127.0.0.1:${port}`,
      ONOMA_SCREENSHOTS_S3_BUCKET: 'pictures',
      ONOMA_SCREENSHOTS_S3_ACCESS_KEY: 'S3RVER',
      ONOMA_SCREENSHOTS_S3_SECRET_KEY: 'S3RVER',
    },
    stop: () => server.close(),
  }
}

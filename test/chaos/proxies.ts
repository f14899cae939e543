import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Fault, FaultProxy } from '../support/fault.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'

/** Used only by a service that was started for it. */
export const FACILITATOR = 'facilitator'
export const PAGES = 'pages'

/** The upstream that each setting names. */
const GROUPS: Readonly<Record<string, string>> = {
  ONOMA_DNS_SERVERS: 'dns',
  ONOMA_TLD_SERVERS: 'dns',
  ONOMA_RDAP_BOOTSTRAP: 'rdap',
  ONOMA_WHOIS_SERVERS: 'whois',
  ONOMA_ETH_RPC_URLS: 'ethereum',
  ONOMA_AFTERMARKET_SOURCE_A_URL: 'marketplaces',
  ONOMA_AFTERMARKET_SOURCE_B_URL: 'marketplaces',
  ONOMA_AFTERMARKET_SOURCE_C_URL: 'marketplaces',
  ONOMA_AFTERMARKET_SOURCE_D_URL: 'marketplaces',
  ONOMA_AUCTIONS_SOURCE_A_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_B_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_C_URL: 'feeds',
  ONOMA_ENGINE_A_URL: 'engines',
  ONOMA_ENGINE_B_URL: 'engines',
  ONOMA_SCREENSHOTS_S3_URL: 's3',
  ONOMA_TRADEMARK_ENRICHMENT_URL: 'trademark records',
  ONOMA_X402_RPC_URLS: 'base',
  ONOMA_MPP_RPC_URLS: 'tempo',
  ONOMA_X402_FACILITATOR_URL: FACILITATOR,
  ONOMA_SANDBOX_PAGES: PAGES,
}
/** Every upstream of a service that settles payments with its own key. */
export const UPSTREAMS: readonly string[] = [...new Set(Object.values(GROUPS))].filter(
  (group) => group !== FACILITATOR && group !== PAGES,
)
const ADDRESS = /127\.0\.0\.1:\d+/g

/** One proxy for each address of a server, in the settings or in a file that a setting names. */
export function createProxies(seed: number) {
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
    // Only a port on loopback.
    if (/^\d+$/.test(text)) return (await through(group, `127.0.0.1:${text}`)).split(':')[1]!
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
    heal(): void {
      for (const { proxy } of proxies.values()) proxy.set({ kind: 'none' })
    },
    stop: () => Promise.all([...proxies.values()].map(({ proxy }) => proxy.stop())),
  }
}

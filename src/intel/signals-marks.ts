import type { View } from './signals.ts'
import { hostOf } from './signals.ts'
import { isUnder, serviceOfAddress, serviceOfLander, serviceOfNameserver, serviceOfScript } from './services.ts'
import { SECOND_SIGNAL_FACTOR, WEIGHTS } from './weights.ts'

/** One observation: its name in the response, and its weight in log-odds. */
export type Signal = { readonly name: string; readonly weight: number }

/** Variables, files and URL parameters that only landers of parking services use. */
const MARKS: readonly RegExp[] = [
  /window\.park\s{0,5}=\s{0,5}["']ey/,
  /\bLANDER_SYSTEM\b/,
  /_trfd\.push\(\{[^}]{0,40}\bap['"]?:\s{0,3}["']parking/,
  /wsimg\.com\/parking-lander/,
  /\bsedoParkingUrl\b/,
  /\/static-landers\//,
  /squarespace[^"'\s]{0,60}\/parking-page/,
  /\btr_uuid=/,
]

/** Google's advertising product for parked domains; its client names begin with `dp-`. */
const DOMAIN_ADS: readonly RegExp[] = [
  /google\.com\/adsense\/domains\//,
  /\bads\.domains\.Caf\b/,
  /\bas-drid-/,
  /\/afs\/ads\?[^"'\s]{0,400}\bclient=(?:ca-|partner-)?dp-/,
  /["']?pubId["']?\s{0,3}:\s{0,3}["'](?:partner-)?dp-/,
]

const PARKING_FILE =
  /(?:domain-?parking|parking-?_?page|parked-?_?(?:page|domain)|park-?page|domain-?parked)[^/]{0,40}$/i

/** Signals from scripts, files and hosts. None of it is text, so an article about parking does not trigger them. */
export function fromMarks(view: View): Signal[] {
  const { evidence, page, first } = view
  const code = [page.scripts, first.scripts, ...page.resources, ...first.resources].join('\n')
  const hosts = new Set([
    ...evidence.capture.hosts.map((host) => host.toLowerCase()),
    ...[...page.resources, ...first.resources].map(hostOf),
  ])
  const isServed = [...hosts].some((host) => host !== '' && serviceOfScript(host, evidence.host) !== undefined)
  const hasMark = isServed || hasAdBlockKey(view) || MARKS.some((mark) => mark.test(code))
  const hasFile = [...page.resources, ...first.resources].some((address) => PARKING_FILE.test(address.split('?')[0]!))
  const signals: Signal[] = []
  if (hasMark) signals.push({ name: 'parking_script', weight: WEIGHTS.serviceScript })
  else if (hasFile) signals.push({ name: 'parking_script', weight: WEIGHTS.parkingFile * view.damping })
  if (DOMAIN_ADS.some((mark) => mark.test(code))) signals.push({ name: 'ad_heavy', weight: WEIGHTS.domainAds })
  return signals
}

/** Parking services identify themselves to ad blockers by a public key on the root element. */
const hasAdBlockKey = ({ page, first }: View) =>
  [...page.root, ...first.root].some((attribute) => /^data-adblockkey=MF[\w+/]{30}/.test(attribute))

/** A subdomain that parking services use for their pages: ww1, ww25 … */
const NUMBERED = /^ww\d{1,2}\./
/** Query parameters that parking services add to redirects. */
const FEED = /[?&](?:tr_uuid|subid1|sub1|fp)=[\w%-]{8}/

/** Signals from redirects. */
export function fromVisit(view: View): Signal[] {
  const { evidence, finalHost, atHome, page, first } = view
  const { host, capture } = evidence
  const scripts = `${page.scripts}\n${first.scripts}`
  const signals: Signal[] = []
  const service = atHome ? undefined : serviceOfLander(finalHost, host)
  if (service !== undefined) {
    const named = mentionsDomain(capture.finalUrl, host) || view.names.some((name) => view.title.includes(name))
    const signal = service.kind === 'placeholder' ? 'registrar_landing' : 'for_sale'
    signals.push({ name: signal, weight: named ? WEIGHTS.soldElsewhere : WEIGHTS.marketplace })
  }
  const urls = [...capture.hops, capture.finalUrl]
  const toLander =
    /location(?:\.href|\.replace|\.assign)?\s{0,3}[=(]\s{0,3}["']\/lander\b/.test(scripts) ||
    /^\/lander\b/.test(first.refresh) ||
    urls.some((url) => isUnder(hostOf(url), host) && /^\/lander\/?$/.test(URL.parse(url)?.pathname ?? ''))
  const toNumbered = urls.some((url) => NUMBERED.test(hostOf(url)) && isUnder(hostOf(url), host))
  const through = capture.hops.some((url) => {
    const hop = hostOf(url)
    return hop !== finalHost && !isUnder(hop, host) && serviceOfLander(hop, host)?.strength === 'strong'
  })
  const fed = urls.some((url) => isUnder(hostOf(url), host) && FEED.test(url))
  if (toLander || toNumbered || through || fed) signals.push({ name: 'lander_redirect', weight: WEIGHTS.lander })
  return signals
}

/** Signals from links to the page where a marketplace sells this domain. */
export function fromSaleLinks(view: View): Signal[] {
  const { host } = view.evidence
  return view.page.links
    .filter(({ href }) => {
      const target = hostOf(href)
      return target !== '' && serviceOfLander(target, host)?.kind === 'marketplace' && mentionsDomain(href, host)
    })
    .slice(0, 1)
    .map(() => ({ name: 'for_sale', weight: WEIGHTS.saleLink * view.damping * view.asideFactor }))
}

/** Whether the path or query of a URL contains the domain, as a whole or as label and TLD in separate parameters. */
export function mentionsDomain(url: string, host: string): boolean {
  const rest = url.toLowerCase().replace(/^https?:\/\/[^/?#]*/, '')
  const [label = '', ...tld] = host.split('.')
  return rest.includes(host) || (label.length > 3 && rest.includes(`=${label}&`) && rest.includes(`=${tld.join('.')}`))
}

/** Signals from name servers and addresses; several of one service count once. */
export function fromDns(view: View): Signal[] {
  const { host, nameservers, addresses } = view.evidence
  const signals: Signal[] = []
  const byServer = new Set(nameservers.map((server) => serviceOfNameserver(server, host)?.strength))
  const byAddress = new Set(addresses.map((address) => serviceOfAddress(address, host)?.strength))
  for (const strength of ['strong', 'medium', 'weak'] as const) {
    if (byServer.has(strength) && !signals.some(({ name }) => name === 'parking_nameserver'))
      signals.push({ name: 'parking_nameserver', weight: WEIGHTS.nameserver[strength] })
    if (byAddress.has(strength) && !signals.some(({ name }) => name === 'parking_address'))
      signals.push({ name: 'parking_address', weight: WEIGHTS.address[strength] })
  }
  return signals
}

/** Merges signals of one name: the strongest counts in full, the second in part, the others not at all. */
export function combine(signals: readonly Signal[]): Signal[] {
  const byName = new Map<string, number[]>()
  for (const { name, weight } of signals) byName.set(name, [...(byName.get(name) ?? []), weight])
  return [...byName]
    .map(([name, weights]) => {
      const [first = 0, second = 0] = weights.sort((a, b) => b - a)
      return { name, weight: first + SECOND_SIGNAL_FACTOR * second }
    })
    .sort((a, b) => b.weight - a.weight)
}

import { day, state } from './cards/card.ts'
import { type Html, markup } from './html.ts'
import { type About, closePage, openPage } from './shell.ts'

/** A server of a registry, as `GET /v1/tlds/health` reports it. */
export type Registry = {
  readonly server: string
  readonly source: string
  readonly asked: number
  readonly success: number
  readonly throttled: number
  readonly p95_ms: number
  readonly breaker: 'closed' | 'failing' | 'down'
  readonly limit_per_second: number | null
  readonly pause_ms: number
  readonly waiting: number
}
export type Feed = { readonly last_sync?: string; readonly count: number }
export type PartState = { readonly status: string; readonly reason?: string }

export type Status = {
  readonly about: About
  /** As `GET /ready` reports it. */
  readonly isReady: boolean
  readonly parts: Readonly<Record<string, PartState>>
  readonly registries: readonly Registry[]
  /** A sentence if there is none, or they cannot be read. */
  readonly feeds: Readonly<Record<string, Feed>> | string
  /** What is off, and how to switch it on. */
  readonly switches: readonly { readonly what: string; readonly how: string }[]
  readonly now: number
}

const PART_LOOKS: Readonly<Record<string, Html>> = {
  ok: state('free', 'works'),
  off: state('reserved', 'off'),
  degraded: state('sale', 'degraded'),
  failed: state('bad', 'failed'),
  unknown: state('unknown', 'not checked yet'),
}
const BREAKER_LOOKS = {
  closed: state('free', 'answers'),
  failing: state('sale', 'answers with errors'),
  down: state('bad', 'does not answer'),
}

/** How the service and what it stands on are doing. */
export function statusPage(status: Status): Html {
  const { about, isReady, parts, registries, feeds, switches, now } = status
  const names = Object.keys(parts)
  const failing = names.filter((name) => ['failed', 'degraded'].includes(parts[name]!.status))
  const troubled = registries.filter(({ breaker }) => breaker !== 'closed')
  const verdict = isReady ? 'The service is ready' : 'The service is not ready'
  const sentence = [
    failing.length === 0 ? `${verdict}.` : `${verdict}; not all is well with: ${failing.join(', ')}.`,
    troubled.length === 0 ? '' : ` ${troubled.length} of ${registries.length} registry servers do not answer as usual.`,
  ].join('')
  return markup`${openPage({
    about,
    title: `Onoma: ${verdict.toLowerCase()}`,
    description: 'How the service is doing.',
    asked: '',
    current: '/status',
  })}<main id="main">
<section class="entry">
<h1 class="head long">Status</h1>
<p class="sum">${sentence}</p>
</section>
<div class="cards">
${section('Parts', '/ready', partsTable(parts))}
${section('Auction feeds', '/v1/auctions', feedsTable(feeds, now))}
${section('Registries', '/v1/tlds/health', registriesTable(registries), true)}
${switches.length === 0 ? null : section('Off', null, switchesList(switches), true)}
</div>
</main>${closePage(about)}`
}

const section = (title: string, source: string | null, body: Html, isWide = false): Html =>
  markup`<section class="card${isWide ? ' wide' : ''}">
<header><h2>${title}</h2></header>
${body}
${source === null ? null : markup`<p class="src"><code>GET ${source}</code></p>`}
</section>`

const partsTable = (parts: Status['parts']): Html =>
  markup`<dl>${Object.entries(parts).map(
    ([name, part]) =>
      markup`<dt>${name}</dt><dd>${PART_LOOKS[part.status] ?? part.status}${part.reason === undefined ? null : markup`<br><small class="q">${part.reason}</small>`}</dd>
`,
  )}</dl>`

function feedsTable(feeds: Status['feeds'], now: number): Html {
  if (typeof feeds === 'string') return markup`<p>${feeds}</p>`
  const entries = Object.entries(feeds)
  return markup`<dl>${entries.map(
    ([name, { last_sync: lastSync, count }]) =>
      markup`<dt>${name}</dt><dd>${
        lastSync === undefined
          ? state('unknown', 'not fetched yet')
          : markup`<time datetime="${lastSync}">${formatAge(now - Date.parse(lastSync))} old</time> <small class="q">${day(lastSync)}</small>`
      }<br><small class="q">${count.toLocaleString('en')} live auctions</small></dd>
`,
  )}</dl>`
}

const registriesTable = (registries: readonly Registry[]): Html =>
  registries.length === 0
    ? markup`<p>No registry has been asked since the service started.</p>`
    : markup`<div class="scroll" tabindex="0" role="region" aria-label="Registries"><table>
<thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col" class="num">Asked</th><th scope="col" class="num">Answered</th><th scope="col" class="num">95 % within</th><th scope="col">Pace</th></tr></thead>
<tbody>${registries.map(
        (registry) =>
          markup`<tr><th scope="row"><bdi>${registry.server}</bdi> <small class="q">${registry.source}</small></th><td>${BREAKER_LOOKS[registry.breaker]}</td><td class="num">${registry.asked.toLocaleString('en')}</td><td class="num">${percent(registry.success)}</td><td class="num">${Math.round(registry.p95_ms)} ms</td><td class="q">${paceOf(registry)}</td></tr>
`,
      )}</tbody></table></div>`

function paceOf({ limit_per_second: limit, pause_ms: pauseMs, waiting, throttled }: Registry): string {
  const words = [
    limit === null ? 'has refused nothing' : `${limit} a second`,
    throttled > 0 && `${percent(throttled)} refused`,
    pauseMs > 0 && `asks us to wait ${formatAge(pauseMs)}`,
    waiting > 0 && `${waiting} wait`,
  ]
  return words.filter(Boolean).join(', ')
}

const switchesList = (
  switches: Status['switches'],
): Html => markup`<p>These are off. Their operator switches them on with settings.</p>
<dl class="off">${switches.map(({ what, how }) => markup`<dt>${what}</dt><dd><code>${how}</code></dd>`)}</dl>`

const percent = (share: number): string => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`

const UNITS = [
  { ms: 86_400_000, name: 'day' },
  { ms: 3_600_000, name: 'hour' },
  { ms: 60_000, name: 'minute' },
] as const

/** `3 hours`; below a minute in seconds. */
function formatAge(ms: number): string {
  const { ms: size, name } = UNITS.find((unit) => ms >= unit.ms) ?? { ms: 1000, name: 'second' }
  const number = Math.max(Math.round(ms / size), 0)
  return `${number} ${name}${number === 1 ? '' : 's'}`
}

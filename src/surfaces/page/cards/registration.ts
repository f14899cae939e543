import { type Html, markup } from '../html.ts'
import { ring } from '../shell.ts'
import { card, day, isolated, linkOut, type Part, withoutData } from './card.ts'

export type Whois = {
  readonly domain: string
  readonly available: boolean
  readonly source: string
  readonly registrar?: {
    readonly name?: string
    readonly url?: string
    readonly abuseEmail?: string
    readonly ianaId?: string
  }
  readonly dates?: { readonly created?: string; readonly updated?: string; readonly expires?: string }
  readonly status?: readonly string[]
  readonly nameservers?: readonly string[]
  readonly dnssec?: { readonly delegationSigned: boolean }
  readonly registrant?: { readonly name?: string; readonly organization?: string; readonly country?: string }
  readonly queriedAt: string
  readonly evidence?: readonly Evidence[]
}
type Evidence = {
  readonly source: string
  readonly server: string
  readonly question: string
  readonly outcome: string
  readonly sha256?: string
  readonly at: string
  readonly ms: number
}

type Options = {
  readonly number: number
  readonly domain: string
  readonly again: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether the TLD follows the common rules after expiry; those of countries have their own. */
  readonly isGeneric: boolean
}

type Step = { readonly state: string; readonly name: string; readonly note: string; readonly at: number }

const DAY_MS = 86_400_000
/** What follows the expiry of a name under a generic TLD, if nobody renews it. */
const GRACE_DAYS = 45
const REDEMPTION_DAYS = 30
const DELETION_DAYS = 5

/** The life of the registration, in the order of time. */
function stepsOf({ created, updated, expires }: NonNullable<Whois['dates']>, { now, isGeneric }: Options): Step[] {
  const step = (state: string, name: string, note: string, at: number): Step => ({ state, name, note, at })
  const steps = [step('now', 'today', '', now)]
  if (created) steps.push(step('taken', 'created', '', Date.parse(created)))
  if (updated) steps.push(step('taken', 'last updated', '', Date.parse(updated)))
  if (expires) {
    const expiry = Date.parse(expires)
    steps.push(step('taken', 'expires', 'unless the holder renews it', expiry))
    if (isGeneric) {
      const redemption = expiry + GRACE_DAYS * DAY_MS
      const deletion = redemption + REDEMPTION_DAYS * DAY_MS
      const release = deletion + DELETION_DAYS * DAY_MS
      steps.push(
        step('sale', 'grace ends', `up to ${GRACE_DAYS} days: renewal at the usual price`, redemption),
        step('bad', 'redemption ends', `${REDEMPTION_DAYS} days: restored for a fee only`, deletion),
        step('free', 'free again', `after ${DELETION_DAYS} days of deletion, if nobody renewed it`, release),
      )
    }
  }
  return steps.filter(({ at }) => Number.isFinite(at)).toSorted((a, b) => a.at - b.at)
}

/** The registration as a timeline: a drawing on wide screens, a list on narrow ones. */
export function registrationCard(part: Part, options: Options): Html {
  const { number, domain, again } = options
  const common = { number, title: 'Registration', source: `/v1/whois?domain=${domain}`, isWide: true }
  const empty = withoutData(part, `${domain} is not registered.`, again)
  if (empty) return card({ ...common, body: empty })
  const whois = (part as { data: Whois }).data
  const steps = stepsOf(whois.dates ?? {}, options)
  const body = whois.available
    ? markup`<p>The registry says that nobody holds ${domain}.</p>`
    : steps.length < 2
      ? markup`<p>The registry publishes no dates.</p>`
      : markup`<figure class="broad">${drawing(steps, domain)}</figure>
<ol class="steps narrow">${steps.map(
          ({ state, name, note, at }) =>
            markup`<li class="${state}">${ring}<span><b>${name}</b>${note === '' ? null : markup`<br><small class="q">${note}</small>`}</span><time datetime="${new Date(at).toISOString()}">${day(at)}</time></li>
`,
        )}</ol>`
  return card({
    ...common,
    aside: 'not to scale',
    body,
    notes: [whois.source.toUpperCase(), `asked ${day(whois.queriedAt)}`],
  })
}

const WIDTH = 1200

/** Steps at equal distances: to scale, a life of thirty years would leave no room for the weeks that matter. */
function drawing(steps: readonly Step[], domain: string): Html {
  const gap = (WIDTH - 140) / Math.max(steps.length - 1, 1)
  const x = (at: number) => (70 + at * gap).toFixed(0)
  const words = steps.map(({ name, at }) => `${name} ${day(at)}`).join(', ')
  return markup`<svg viewBox="0 0 ${WIDTH} 120" role="img" aria-label="${domain}: ${words}">
<path d="M70 60H${WIDTH - 70}" class="line"/>
${steps.map(
  ({ state, name, at }, index) =>
    markup`<g class="${state}"><circle cx="${x(index)}" cy="60" r="9" class="knob"/><text class="h" x="${x(index)}" y="32" text-anchor="middle">${name}</text><text class="q" x="${x(index)}" y="98" text-anchor="middle">${day(at)}</text></g>
`,
)}</svg>`
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  ok: 'No restriction',
  active: 'No restriction',
  clientTransferProhibited: 'May not be transferred',
  serverTransferProhibited: 'May not be transferred, by the registry',
  clientDeleteProhibited: 'May not be deleted',
  serverDeleteProhibited: 'May not be deleted, by the registry',
  clientUpdateProhibited: 'May not be changed',
  serverUpdateProhibited: 'May not be changed, by the registry',
  clientHold: 'Taken out of the DNS by the registrar',
  serverHold: 'Taken out of the DNS by the registry',
  autoRenewPeriod: 'Renewed automatically a short time ago',
  redemptionPeriod: 'Deleted; its holder can restore it for a fee',
  pendingDelete: 'Will be deleted within days',
  pendingTransfer: 'Is being transferred',
}

/** Registrar, holder and what the registry says about the name. */
export function holderCard(part: Part, { number, domain, again }: Options): Html {
  const common = { number, title: 'Registrar and holder', source: `/v1/whois?domain=${domain}` }
  const empty = withoutData(part, 'There is no record: the domain is not registered.', again)
  if (empty) return card({ ...common, body: empty })
  const { registrar, registrant, status = [], nameservers = [], dnssec, evidence = [] } = (part as { data: Whois }).data
  const holder = [registrant?.organization, registrant?.name].filter(Boolean).join(', ')
  return card({
    ...common,
    body: markup`<dl>
<dt>Registrar</dt><dd>${registrar?.url ? linkOut(registrar.url, isolated(registrar.name ?? registrar.url)) : registrar?.name ? isolated(registrar.name) : 'not published'}${registrar?.ianaId ? markup` <small class="q">IANA ${registrar.ianaId}</small>` : null}</dd>
<dt>Holder</dt><dd>${holder === '' ? 'not published' : isolated(holder)}${registrant?.country ? markup`<br><small class="q">Country: ${registrant.country}</small>` : null}</dd>
${registrar?.abuseEmail ? markup`<dt>Abuse contact</dt><dd><a href="mailto:${registrar.abuseEmail}">${registrar.abuseEmail}</a></dd>` : null}
<dt>Status</dt><dd>${status.map((code) => markup`${STATUS_WORDS[code] ?? isolated(code)} <code class="q" dir="auto">${code}</code><br>`)}</dd>
<dt>Name servers</dt><dd>${nameservers.map((host) => markup`<bdi>${host}</bdi><br>`)}</dd>
<dt>DNSSEC</dt><dd>${dnssec === undefined ? 'not published' : dnssec.delegationSigned ? 'signed' : 'not signed'}</dd>
</dl>
${evidence.length === 0 ? null : evidenceList(evidence)}`,
    notes: ['codes in grey are the registry’s own'],
  })
}

const evidenceList = (
  evidence: readonly Evidence[],
): Html => markup`<details><summary>Evidence: every query that was sent</summary>
<pre tabindex="0" role="group" aria-label="Queries and their outcomes"><code>${evidence.map(
  ({ source, server, question, outcome, sha256, at, ms }) =>
    markup`${source} ${server} ${question}
${outcome}, ${ms} ms, ${at}${
      sha256 === undefined
        ? null
        : markup`
sha-256 ${sha256}`
    }

`,
)}</code></pre></details>`

import { type Html, markup } from '../html.ts'
import { card, day, isolated, linkOut, type Part, withoutData } from './card.ts'
import { type Dates, timeline } from './timeline.ts'

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
  readonly dates?: Dates
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

/** The registration as a timeline. */
export function registrationCard(part: Part, options: Options): Html {
  const { number, domain, again, isGeneric } = options
  const common = { number, title: 'Registration', source: `/v1/whois?domain=${domain}` }
  const empty = withoutData(part, `${domain} is not registered.`, again)
  if (empty) return card({ ...common, body: empty })
  const { available, dates = {}, source, queriedAt, evidence = [] } = (part as { data: Whois }).data
  const notes = [source.toUpperCase(), `asked ${day(queriedAt)}`]
  if (available) {
    const body = markup`<p>The registry has no record of ${domain}: nobody holds it.</p>
${evidence.length === 0 ? null : evidenceList(evidence)}`
    return card({ ...common, body, notes })
  }
  const drawn = timeline(dates, domain, options)
  const hasRules = isGeneric || dates.expires === undefined
  return card({
    ...common,
    isWide: drawn !== undefined,
    aside: drawn ? 'not to scale' : null,
    body: markup`${drawn ?? markup`<p>The registry publishes no dates.</p>`}${
      hasRules ? null : markup`<p class="q">What follows the expiry is a rule of the registry of this TLD.</p>`
    }`,
    notes,
  })
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  ok: 'No restriction',
  inactive: 'Without name servers',
  clientRenewProhibited: 'May not be renewed',
  serverRenewProhibited: 'May not be renewed, by the registry',
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
<dt>Holder</dt><dd>${holder !== '' ? isolated(holder) : registrant?.country ? 'Redacted: the registry publishes no name' : 'not published'}${registrant?.country ? markup`<br><small class="q">Country: ${registrant.country}</small>` : null}</dd>
${registrar?.abuseEmail ? markup`<dt>Abuse contact</dt><dd><a href="mailto:${registrar.abuseEmail}">${registrar.abuseEmail}</a></dd>` : null}
<dt>Status</dt><dd>${status.length === 0 ? 'not published' : status.map((code) => markup`${STATUS_WORDS[code] ?? isolated(code)} <code class="q" dir="auto">${code}</code><br>`)}</dd>
<dt>Name servers</dt><dd>${nameservers.length === 0 ? 'none' : nameservers.map((host) => markup`<bdi>${host}</bdi><br>`)}</dd>
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

import { type Html, markup } from '../html.ts'
import { card, type Part, withoutData } from './card.ts'

type Records = {
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  readonly ns: readonly { readonly host: string }[]
  readonly txt: readonly string[]
  readonly cname: string | null
  readonly soa: { readonly primary_ns: string; readonly serial: number } | null
}
type Dns = { readonly records: Records; readonly dnssec: boolean; readonly query_time_ms: number }

type Row = readonly [type: string, values: readonly string[], meaning: string]

const rowsOf = ({ a, aaaa, mx, ns, txt, cname, soa }: Records): Row[] => [
  ['A', a, a.length === 0 ? 'no IPv4' : ''],
  ['AAAA', aaaa, aaaa.length === 0 ? 'no IPv6' : ''],
  ['MX', mx.map(({ host, priority }) => `${priority} ${host}`), mx.length === 0 ? 'receives no mail' : ''],
  ['NS', ns.map(({ host }) => host), ''],
  ['TXT', txt, txt.some((text) => /^v=spf1 -all$/.test(text)) ? 'sends no mail' : ''],
  ...(cname === null ? [] : [['CNAME', [cname], 'an alias'] as const]),
  ['SOA', soa === null ? [] : [soa.primary_ns], soa === null ? '' : `serial ${soa.serial}`],
]

/** The DNS records of the domain. */
export function dnsCard(
  part: Part,
  { number, domain, again }: { number: number; domain: string; again: string },
): Html {
  const common = { number, title: 'DNS', source: `/v1/dns/${domain}` }
  const empty = withoutData(part, `${domain} has no DNS records.`, again)
  if (empty) return card({ ...common, body: empty })
  const { records, dnssec, query_time_ms: ms } = (part as { data: Dns }).data
  return card({
    ...common,
    body: markup`<div class="scroll"><table>
<thead><tr><th scope="col">Type</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rowsOf(records).map(
      ([type, values, meaning]) =>
        markup`<tr><th scope="row" class="n">${type}</th><td>${values.length === 0 ? markup`<span class="q">none</span>` : values.map((value) => markup`<bdi>${value}</bdi><br>`)}</td><td class="q">${meaning}</td></tr>
`,
    )}</tbody></table></div>`,
    notes: [`${ms} ms`, `DNSSEC: ${dnssec ? 'signed' : 'not signed'}`],
  })
}

import type { DomainName } from '../../src/kernel/names.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import type { Whois43 } from '../../src/protocols/whois43/client.ts'
import { parseIanaAnswer } from '../../src/protocols/whois43/iana-hosts.ts'
import { parseBootstrap } from '../../src/protocols/rdap/bootstrap-file.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** Base URL of IANA's public files. */
  readonly base: string
  readonly sandbox: boolean
  readonly whois: Whois43
  /** IANA's WHOIS server, which names those of TLDs; null if it is not simulated. */
  readonly whoisServer: string | null
}

export const IANA_FILES = 'https://data.iana.org'
export const IANA_WHOIS = 'whois.iana.org'
const PROBED_TLD = 'com' as DomainName
/** The file has some 1,200 TLDs today. */
const MIN_TLDS = 100

/** The file that says which RDAP server answers for a TLD, and the server that says the same of WHOIS. */
export const ianaProbes = ({ upstream, base, sandbox, whois, whoisServer }: Needs): Probe[] => [
  {
    group: 'IANA',
    provider: 'RDAP bootstrap',
    host: new URL(base).host,
    async run(recorder, signal) {
      const reply = await recorder.upstream(upstream).request({ url: `${base}/rdap/dns.json`, signal, accept: [200] })
      const { bases, publication } = parseBootstrap(reply.text(), { insecure: sandbox })
      if (bases.size < MIN_TLDS) throw new UnexpectedShape(`It lists servers of ${bases.size} TLDs only.`)
      return `servers of ${bases.size} TLDs, published ${new Date(publication).toISOString()}`
    },
  },
  ...(whoisServer === null ? [] : [whoisHostProbe(whois, whoisServer)]),
]

const whoisHostProbe = (whois: Whois43, server: string): Probe => ({
  group: 'IANA',
  provider: 'WHOIS hosts',
  host: server,
  async run(recorder, signal) {
    const { text } = await recorder.whois(whois).query({ domain: PROBED_TLD, tld: PROBED_TLD, server, signal })
    const host = parseIanaAnswer(text, PROBED_TLD)
    if (host === undefined) throw new UnexpectedShape(`It names no WHOIS server of .${PROBED_TLD}.`)
    return `the WHOIS server of .${PROBED_TLD} is ${host}`
  },
})

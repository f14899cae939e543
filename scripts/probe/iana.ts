import type { Upstream } from '../../src/kernel/upstream/client.ts'
import { parseBootstrap } from '../../src/protocols/rdap/bootstrap-file.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** Base URL of IANA's public files. */
  readonly base: string
  readonly sandbox: boolean
}

export const IANA_FILES = 'https://data.iana.org'
/** The file has some 1,200 TLDs today. */
const MIN_TLDS = 100

/** The file that says which RDAP server answers for a TLD. */
export const ianaProbes = ({ upstream, base, sandbox }: Needs): Probe[] => [
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
]

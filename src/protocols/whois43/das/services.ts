import type { DasAnswer } from './answer.ts'
import { parseNumberLine } from './number-line.ts'
import { parseSentence } from './sentence.ts'
import { parseStatusLines } from './status-lines.ts'
import { parseWordAndName } from './word-and-name.ts'

/** How the availability service of a registry is asked, and how its answer is read. */
export type DasService = {
  /** `host:port`. */
  readonly server: string
  /** Queries a minute; the registry's own limit where it publishes one, else a cautious one. */
  readonly perMinute: number
} & (
  | {
      /** One line, and the answer until the connection is closed. `http` sends it as the path of a GET. */
      readonly transport: 'tcp' | 'http'
      readonly format: (domain: string) => string
      readonly parse: (text: string, domain: string) => DasAnswer
    }
  | { readonly transport: 'isavail' | 'dchk' }
)

const whole = (domain: string): string => domain
const labelOf = (domain: string): string => domain.split('.')[0]!

/**
 * By registry, as in the catalogue. Hosts and limits are those the registries publish, as of 2026-11; not asked by us.
 * An answer that is not understood costs nothing but time: WHOIS or RDAP is asked then.
 */
export const DAS_SERVICES: ReadonlyMap<string, DasService> = new Map<string, DasService>([
  ['be', lines('das.dns.be:4343', 50, whole)],
  ['eu', lines('das.eu:4343', 120, (domain) => `get 1.0 ${labelOf(domain)}`)],
  ['it', lines('das.nic.it:4343', 60, whole)],
  ['lt', lines('das.domreg.lt:4343', 60, (domain) => `get 1.0 ${domain}`)],
  ['ro', lines('whois.rotld.ro:4343', 60, whole)],
  ...['ch', 'li'].map((tld): [string, DasService] => [
    tld,
    { transport: 'tcp', server: 'whois.nic.ch:4343', perMinute: 60, format: whole, parse: parseNumberLine },
  ]),
  ['no', { transport: 'tcp', server: 'finger.norid.no:79', perMinute: 60, format: whole, parse: parseSentence }],
  [
    'se',
    {
      transport: 'http',
      server: 'free.iis.se:80',
      perMinute: 60,
      format: (domain) => `/free?q=${domain}`,
      parse: parseWordAndName,
    },
  ],
  ['de', { transport: 'dchk', server: 'dchk.denic.de:715', perMinute: 60 }],
  ['br', { transport: 'isavail', server: 'whois.registro.br:43', perMinute: 60 }],
])

function lines(server: string, perMinute: number, format: (domain: string) => string): DasService {
  return { transport: 'tcp', server, perMinute, format, parse: parseStatusLines }
}

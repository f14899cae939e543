import type { DomainName } from '../../kernel/names.ts'
import { parseRdap } from '../../protocols/rdap/parse.ts'
import { decodeAnswer } from '../../protocols/whois43/charset.ts'
import { parseWhois } from '../../protocols/whois43/parse.ts'

const domain = 'warm-up.example' as DomainName

/** Decoded from bytes, as real answers are: V8 compiles a pattern separately for differently stored strings. */
const readWhois = (text: string) =>
  parseWhois(decodeAnswer(Buffer.from(text), 'example').text, { domain, tld: 'example' })
const readRdap = (status: number, body: object) =>
  parseRdap(status, 'application/rdap+json', JSON.stringify(body), domain)

/** Each parses a made-up answer, so that regular expressions are compiled before the first real answer arrives. */
export const parseSampleAnswers: readonly (() => unknown)[] = [
  () => readRdap(200, RDAP_OBJECT),
  () => readRdap(404, { errorCode: 404, title: 'Not found' }),
  () => readWhois(NOT_FOUND),
  () => readWhois(REGISTERED),
  // The second time V8 translates the patterns into machine code.
  () => readWhois(NOT_FOUND),
  () => readWhois(REGISTERED),
]

/** Has a line for every pattern. */
const NOT_FOUND =
  'No match for domain "WARM-UP.EXAMPLE".\r\n\r\n% This is the registry of .example.\r\nThe queried object does not exist\r\nYou may use these data for lawful purposes only.\r\nSome more text without meaning.\r\n'
const REGISTERED =
  'Domain Name: WARM-UP.EXAMPLE\r\nRegistrar: Example Registrar\r\nCreation Date: 2020-01-02T03:04:05Z\r\nDomain Status: ok\r\nName Server: NS1.EXAMPLE\r\nDNSSEC: unsigned\r\n'

const RDAP_OBJECT = {
  objectClassName: 'domain',
  ldhName: 'warm-up.example',
  status: ['active'],
  events: [{ eventAction: 'registration', eventDate: '2020-01-02T03:04:05Z' }],
  nameservers: [{ objectClassName: 'nameserver', ldhName: 'ns1.example' }],
  entities: [
    {
      objectClassName: 'entity',
      roles: ['registrar'],
      vcardArray: ['vcard', [['fn', {}, 'text', 'Example Registrar']]],
    },
  ],
}

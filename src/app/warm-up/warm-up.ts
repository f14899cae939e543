import type { DomainName } from '../../kernel/names.ts'
import { parseRdap } from '../../protocols/rdap/parse.ts'
import { decodeAnswer } from '../../protocols/whois43/charset.ts'
import { parseWhois } from '../../protocols/whois43/parse.ts'

/**
 * Parses a few made-up answers, so that regular expressions are compiled and code is optimized before the first real
 * answer arrives.
 */
export function warmUp(): void {
  const domain = 'warm-up.example' as DomainName
  const asked = { domain, tld: 'example' }
  for (let round = 0; round < 3; round++) {
    // Decoded from bytes, as real answers are: V8 compiles a pattern separately for differently stored strings.
    for (const text of WHOIS_ANSWERS) parseWhois(decodeAnswer(Buffer.from(text), 'example').text, asked)
    parseRdap(200, 'application/rdap+json', JSON.stringify(RDAP_OBJECT), domain)
    parseRdap(404, 'application/rdap+json', JSON.stringify({ errorCode: 404, title: 'Not found' }), domain)
  }
}

const WHOIS_ANSWERS = [
  // Has a line for every pattern.
  'No match for domain "WARM-UP.EXAMPLE".\r\n\r\n% This is the registry of .example.\r\nThe queried object does not exist\r\nYou may use these data for lawful purposes only.\r\nSome more text without meaning.\r\n',
  'Domain Name: WARM-UP.EXAMPLE\r\nRegistrar: Example Registrar\r\nCreation Date: 2020-01-02T03:04:05Z\r\nDomain Status: ok\r\nName Server: NS1.EXAMPLE\r\nDNSSEC: unsigned\r\n',
]

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

import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { dnsNameField } from '../kernel/names.ts'

const capability = { name: 'dns', description: 'The DNS records of a domain.' }

const seconds = (description: string) => z.int().meta({ description: `${description}, in seconds.` })

export const DnsRecords = z
  .object({
    domain: z.string().meta({ description: 'The domain asked about.', examples: ['example.com'] }),
    records: z
      .object({
        a: z.array(z.string()).meta({ description: 'IPv4 addresses.' }),
        aaaa: z.array(z.string()).meta({ description: 'IPv6 addresses.' }),
        mx: z
          .array(
            z.object({
              host: z.string().meta({ description: 'Mail server; `.` if the name accepts no mail.' }),
              priority: z.int().meta({ description: 'Lower is preferred.' }),
            }),
          )
          .meta({ description: 'Mail servers, in order of preference.' }),
        ns: z
          .array(
            z.object({
              host: z.string().meta({ description: 'Name server.' }),
              ip: z.string().meta({ description: 'Its first address; empty if it has none.' }),
            }),
          )
          .meta({ description: 'Name servers.' }),
        txt: z.array(z.string()).meta({ description: 'TXT records, each with its strings joined.' }),
        cname: z.string().nullable().meta({ description: 'The name this is an alias of; null if it is not an alias.' }),
        soa: z
          .object({
            primary_ns: z.string().meta({ description: 'Primary name server.' }),
            admin_email: z.string().meta({ description: 'Email address of the administrator of the zone.' }),
            serial: z.int().meta({ description: 'Version of the zone.' }),
            refresh: seconds('How often secondaries check for a new version'),
            retry: seconds('How soon they retry after a failure'),
            expire: seconds('When they stop answering without contact to the primary'),
            min_ttl: seconds('TTL of a negative answer'),
          })
          .nullable()
          .meta({ description: 'Start of authority; null if the name is not the apex of a zone.' }),
      })
      .meta({ description: 'The records of the name; an empty list means that there are no such records.' }),
    dnssec: z.boolean().meta({ description: 'Whether the zone of the name has a DS record at its parent.' }),
    query_time_ms: z.number().meta({ description: 'Milliseconds the lookup took.' }),
    queried_at: z.iso.datetime().meta({ description: 'When the lookup was made, ISO 8601 in UTC.' }),
  })
  .meta({ id: 'DnsRecords', description: 'The DNS records of a name.' })

export const dnsRecords = endpoint({
  name: 'dnsRecords',
  capability,
  command: 'dns',
  method: 'GET',
  path: '/v1/dns/{domain}',
  summary: 'Get the DNS records of a name',
  description:
    'Sub-domains and labels with underscores (`_dmarc.example.com`) are allowed. A name that does not exist or has none of the listed records is `domain_not_found`. If one kind of record cannot be looked up the whole answer is an error, so an empty list always means that there are no such records. If the resolvers answer SERVFAIL for the name (broken DNSSEC or name servers), the `service_unavailable` message says so.',
  input: z.object({ domain: dnsNameField }),
  output: DnsRecords,
  complaints: { domain: { missing: 'missing_domain', invalid: 'invalid_domain' } },
  errors: ['missing_domain', 'invalid_domain', 'domain_not_found', 'service_unavailable', 'timeout'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  limitedAs: 'rate_limited',
  example: {
    input: { domain: 'example.com' },
    output: {
      domain: 'example.com',
      records: {
        a: ['192.0.2.1'],
        aaaa: ['2001:db8::1'],
        mx: [{ host: 'mail.example.com', priority: 10 }],
        ns: [{ host: 'a.iana-servers.net', ip: '192.0.2.53' }],
        txt: ['v=spf1 -all'],
        cname: null,
        soa: {
          primary_ns: 'a.iana-servers.net',
          admin_email: 'hostmaster@example.com',
          serial: 2026111501,
          refresh: 7200,
          retry: 3600,
          expire: 1209600,
          min_ttl: 3600,
        },
      },
      dnssec: true,
      query_time_ms: 24,
      queried_at: '2026-11-15T12:00:00.000Z',
    },
  },
})

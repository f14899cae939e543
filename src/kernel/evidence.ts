import * as z from 'zod'

/** One query to an external server and its outcome, so that a client can verify our answer. */
export const Evidence = z
  .object({
    source: z.enum(['dns', 'rdap', 'whois']).meta({ description: 'The protocol.' }),
    server: z.string().meta({ description: 'The server that was asked.', examples: ['rdap.verisign.com'] }),
    question: z.string().meta({ description: 'The query: a URL, a name and record type, or the line sent.' }),
    outcome: z.string().meta({
      description: 'The outcome: an HTTP status, a DNS response code, or why there is no answer.',
      examples: ['404'],
    }),
    sha256: z.string().optional().meta({ description: 'SHA-256 of the answer as received, in hexadecimal.' }),
    confidence: z.literal('reduced').optional().meta({
      description: '`reduced` where this answer decided in place of the registry’s RDAP server, which is down.',
    }),
    at: z.iso.datetime().meta({ description: 'When the query was sent, ISO 8601 in UTC.' }),
    ms: z.number().meta({ description: 'Milliseconds until the answer.' }),
  })
  .meta({ id: 'Evidence', description: 'One query and its outcome, so that an answer can be verified.' })

export type Evidence = Readonly<z.input<typeof Evidence>>

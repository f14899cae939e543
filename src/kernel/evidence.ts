import { z } from 'zod'

/** One question to the outside and what came back, so that an answer of ours can be followed. */
export const Evidence = z
  .object({
    source: z.enum(['dns', 'rdap', 'whois']).meta({ description: 'How it was asked.' }),
    server: z.string().meta({ description: 'The server that was asked.', examples: ['rdap.verisign.com'] }),
    question: z.string().meta({ description: 'What was asked: a URL, a record type and name, or the line sent.' }),
    outcome: z.string().meta({
      description: 'What came back: an HTTP status, a DNS response code, or what became of it.',
      examples: ['404'],
    }),
    sha256: z.string().optional().meta({ description: 'SHA-256 of the answer as received, in hexadecimal.' }),
    confidence: z.literal('reduced').optional().meta({
      description: '`reduced` where this answer decided in place of the registry’s RDAP server, which is down.',
    }),
    at: z.iso.datetime().meta({ description: 'When it was asked, ISO 8601 in UTC.' }),
    ms: z.number().meta({ description: 'Milliseconds until the answer.' }),
  })
  .meta({ id: 'Evidence', description: 'One question and what came back, so that an answer can be followed.' })

export type Evidence = Readonly<z.input<typeof Evidence>>

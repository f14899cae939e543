import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { type DomainName, parseDomain } from '../kernel/names.ts'
import { SITE_PROBLEMS } from './site-error.ts'

const capability = { name: 'intel', description: 'Whether a domain is parked, and what its page looks like.' }

const about = {
  description: 'Full domain including its TLD; a protocol before it and a path behind it are left out.',
  examples: ['example.com'],
}

/** People paste what stands in their browser. */
const hostField = z
  .string()
  .meta(about)
  .transform((text, context): DomainName => {
    const host = text
      .trim()
      .replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//i, '')
      .replace(/[/?#].*$/s, '')
      .replace(/:(?:80|443)$/, '')
    const reading = parseDomain(host)
    if (reading.ok) return reading.name
    context.addIssue({ code: 'custom', message: reading.problem, input: text })
    return z.NEVER
  })
  .meta(about)

export const Intel = z
  .object({
    domain: z.string().meta({ description: 'The name asked about.', examples: ['example.com'] }),
    available: z.boolean().meta({ description: 'Whether it can be registered, on the word of the registry.' }),
    parked: z.boolean().meta({
      description: 'Whether it is parked. Beside `error` it is false and says nothing: nothing was looked at.',
    }),
    parked_confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'How probable it is that it is parked. Left out where it was not looked at.' }),
    parked_signals: z
      .array(z.string())
      .optional()
      .meta({
        description: 'What speaks for it, the strongest first.',
        examples: [['for_sale', 'parking_nameserver']],
      }),
    screenshot_url: z.string().optional().meta({ description: 'A picture of what a visitor sees.' }),
    final_url: z.string().optional().meta({ description: 'Where a visit ends, after all redirects.' }),
    load_time_ms: z.int().optional().meta({ description: 'Milliseconds until the page stood.' }),
    error: z
      .string()
      .optional()
      .meta({
        description: `Why nothing was looked at; such an answer is not charged. ${Object.entries(SITE_PROBLEMS)
          .map(([problem, meaning]) => `\`${problem}\`: ${meaning}.`)
          .join(' ')} \`screenshot_service_unavailable\`: the browser failed.`,
        examples: ['site_timeout'],
      }),
  })
  .meta({ id: 'DomainIntel', description: 'What a visitor of a name gets to see.' })

export const domainIntel = endpoint({
  name: 'domainIntel',
  capability,
  command: 'intel',
  method: 'GET',
  path: '/v1/intel',
  summary: 'Tell whether a domain is parked, with a screenshot',
  description:
    'Visits the name with a real browser. A name that is free has nothing to look at: then there are only `domain`, `available` and `parked`. ' +
    'Where the page cannot be had the answer says so in `error`, `parked_confidence` and the rest are left out, and it is not charged: the payment can be used again. ' +
    'Where nothing could be found out at all (the registry does not answer, there is no browser) it is 503 before any payment is asked for.',
  input: z.object({ domain: hostField }),
  output: Intel,
  complaints: { domain: { invalid: 'invalid_domain' } },
  errors: ['missing_parameter', 'invalid_domain', 'payment_required', 'service_unavailable'],
  failsAs: 'service_unavailable',
  rate: 'counted',
  tool: true,
  price: { usd: '0.05' },
  example: {
    input: { domain: 'example.com' },
    output: {
      domain: 'example.com',
      available: false,
      parked: true,
      parked_confidence: 0.97,
      parked_signals: ['for_sale', 'parking_nameserver'],
      screenshot_url: `https://names.example.org/screenshots/${'0123456789abcdef'.repeat(4)}.jpg`,
      final_url: 'https://example.com/lander',
      load_time_ms: 640,
    },
  },
})

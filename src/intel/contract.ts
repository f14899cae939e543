import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { type DomainName, parseDomain } from '../kernel/names.ts'
import { SITE_PROBLEMS } from './site-error.ts'

const capability = { name: 'intel', description: 'Whether a domain is parked, and what its page looks like.' }

const about = {
  description: 'Full domain including its TLD; a scheme before it and a path after it are ignored.',
  examples: ['example.com'],
}

/** Accepts a URL too: people paste what is in their address bar. */
const hostField = z
  .string()
  .meta(about)
  .transform((text, context): DomainName => {
    const host = text
      .trim()
      .replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//i, '')
      .replace(/[/?#].*$/s, '')
      .replace(/:(?:80|443)$/, '')
    const parsed = parseDomain(host)
    if (parsed.ok) return parsed.name
    context.addIssue({ code: 'custom', message: parsed.problem, input: text })
    return z.NEVER
  })
  .meta(about)

export const Intel = z
  .object({
    domain: z.string().meta({ description: 'The requested domain.', examples: ['example.com'] }),
    available: z.boolean().meta({ description: 'Whether it can be registered, according to the registry.' }),
    parked: z.boolean().meta({
      description: 'Whether it is parked. With `error` it is always false, because no page was captured.',
    }),
    parked_confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Probability that it is parked. Left out if no page was captured.' }),
    parked_signals: z
      .array(z.string())
      .optional()
      .meta({
        description: 'The signals for it, strongest first.',
        examples: [['for_sale', 'parking_nameserver']],
      }),
    screenshot_url: z.string().optional().meta({ description: 'A screenshot of the page.' }),
    final_url: z.string().optional().meta({ description: 'The URL after all redirects.' }),
    load_time_ms: z.int().optional().meta({ description: 'Milliseconds until the page was loaded.' }),
    error: z
      .string()
      .optional()
      .meta({
        description: `Why no page was captured; such a response is not charged. ${Object.entries(SITE_PROBLEMS)
          .map(([problem, meaning]) => `\`${problem}\`: ${meaning}.`)
          .join(' ')} \`screenshot_service_unavailable\`: the browser failed.`,
        examples: ['site_timeout'],
      }),
  })
  .meta({ id: 'DomainIntel', description: 'Whether a domain is parked, and its page as a visitor sees it.' })

export const domainIntel = endpoint({
  name: 'domainIntel',
  capability,
  command: 'intel',
  method: 'GET',
  path: '/v1/intel',
  summary: 'Tell whether a domain is parked, with a screenshot',
  description:
    'Visits the domain with a real browser. For an available domain only `domain`, `available` and `parked` are returned. ' +
    'If the page cannot be loaded, `error` says why, `parked_confidence` and the fields after it are left out, and the response is not charged: the payment can be used again. ' +
    'If the registry does not respond or there is no browser, the response is 503 before payment is requested.',
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

import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'health', description: 'Whether the service is up.' }

const status = z.literal('ok').meta({ description: '`ok` when the service answers at all.' })
const version = z.string().meta({ description: 'Version of the service and of its API.', examples: ['0.3.0'] })
const cacheStats = z
  .object({ size: z.int().meta({ description: 'How many answers the caches hold.', examples: [0] }) })
  .meta({ description: 'What the caches hold at this moment.' })

const Health = z
  .object({
    status,
    version,
    tlds: z.int().meta({ description: 'How many TLDs are supported.', examples: [511] }),
    cacheStats,
  })
  .meta({ id: 'Health', description: 'How the service is.' })

const LegacyHealth = z
  .object({
    status,
    version,
    tlds: z.array(z.string()).meta({ description: 'Every supported TLD, alphabetically.' }),
    cacheStats,
  })
  .meta({ id: 'LegacyHealth', description: 'How the service is, as old clients expect it.' })

export const health = endpoint({
  name: 'health',
  capability,
  command: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Tell whether the service is up',
  description: 'Answers from memory alone: it asks no registry, no store and no node, and is never rate-limited.',
  input: z.object({
    legacy: z
      .boolean()
      .optional()
      .meta({ description: 'True for the earlier shape, in which `tlds` is a list. Deprecated.', examples: [true] }),
  }),
  output: z
    .union([Health, LegacyHealth])
    .meta({ description: 'The current shape, or the earlier one where asked for.' }),
  errors: ['invalid_parameter'],
  rate: 'free',
  example: { input: {}, output: { status: 'ok', version: '0.3.0', tlds: 511, cacheStats: { size: 0 } } },
})

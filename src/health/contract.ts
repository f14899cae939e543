import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'

const capability = { name: 'health', description: 'Whether the service is up.' }

const status = z.literal('ok').meta({ description: '`ok` if the service answers.' })
const version = z.string().meta({ description: 'Version of the service and of its API.', examples: ['0.3.0'] })
const cacheStats = z
  .object({ size: z.int().meta({ description: 'Number of cached answers.', examples: [0] }) })
  .meta({ description: 'Current size of the caches.' })

const Health = z
  .object({
    status,
    version,
    tlds: z.int().meta({ description: 'How many TLDs are supported.', examples: [511] }),
    cacheStats,
  })
  .meta({ id: 'Health', description: 'The state of the service.' })

const LegacyHealth = z
  .object({
    status,
    version,
    tlds: z.array(z.string()).meta({ description: 'Every supported TLD, alphabetically.' }),
    cacheStats,
  })
  .meta({ id: 'LegacyHealth', description: 'The state of the service, in the format of old clients.' })

export const health = endpoint({
  name: 'health',
  capability,
  command: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Check whether the service is up',
  description: 'Answers from memory: it contacts no registry, store or node, and is never rate-limited.',
  input: z.object({
    legacy: z
      .boolean()
      .optional()
      .meta({ description: 'True for the earlier format, in which `tlds` is a list. Deprecated.', examples: [true] }),
  }),
  output: z
    .union([Health, LegacyHealth])
    .meta({ description: 'The current format, or the earlier one with `legacy=true`.' }),
  errors: ['invalid_parameter'],
  rate: 'free',
  example: { input: {}, output: { status: 'ok', version: '0.3.0', tlds: 511, cacheStats: { size: 0 } } },
})

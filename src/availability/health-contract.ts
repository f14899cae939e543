import * as z from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { capability, timestamp } from './contract.ts'

export const registryHealth = endpoint({
  name: 'registryHealth',
  capability,
  command: 'tlds health',
  method: 'GET',
  path: '/v1/tlds/health',
  summary: 'Show how the registries have answered recently',
  description:
    'One entry per server queried since the service started, the most queried first. Shares and times are of its latest 200 queries. `GET /v1/tlds?type=` shows the server of a TLD.',
  input: z.object({}),
  output: z
    .object({
      registries: z
        .array(
          z
            .object({
              server: z.string().meta({ description: 'The server.', examples: ['rdap.verisign.com'] }),
              source: z.enum(['rdap', 'whois']).meta({ description: 'The protocol.' }),
              asked: z.int().meta({ description: 'Queries since the service started.' }),
              success: z.number().meta({ description: 'Share of queries it answered, from 0 to 1.' }),
              throttled: z
                .number()
                .meta({ description: 'Share of queries it refused because of its rate limit, from 0 to 1.' }),
              p95_ms: z.number().meta({ description: '95th percentile of the response time, in milliseconds.' }),
              breaker: z.enum(['closed', 'failing', 'down']).meta({
                description:
                  '`closed` if it is used as usual, `failing` if it answers with errors, `down` if it does not answer; then it gets one query at a time.',
              }),
              limit_per_second: z.number().nullable().meta({
                description: 'Queries per second it allows, as learnt from its refusals; null if it has refused none.',
              }),
              pause_ms: z
                .number()
                .meta({ description: 'Milliseconds until it may be queried again, as it asked for.' }),
              waiting: z.int().meta({ description: 'Queries that wait for their turn.' }),
            })
            .meta({ id: 'RegistryHealth', description: 'How one server has answered.' }),
        )
        .meta({ description: 'The servers, the most queried first.' }),
      timestamp,
    })
    .meta({ id: 'RegistryHealthReport', description: 'How the registries have answered recently.' }),
  errors: [],
  rate: 'free',
  example: {
    input: {},
    output: {
      registries: [
        {
          server: 'rdap.verisign.com',
          source: 'rdap',
          asked: 120,
          success: 0.995,
          throttled: 0.005,
          p95_ms: 210,
          breaker: 'closed',
          limit_per_second: 19.2,
          pause_ms: 0,
          waiting: 0,
        },
      ],
      timestamp: '2026-11-15T12:00:00.000Z',
    },
  },
})

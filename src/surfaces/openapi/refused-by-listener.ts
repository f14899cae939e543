import type { Components } from './components.ts'
import { headersOf } from './headers.ts'
import type { Json } from './schemas.ts'

/** Requests the listener refuses before the door sees them: no id, no timing, no problem of RFC 9457. */
const REFUSALS = {
  408: {
    name: 'RequestTimeout',
    meaning: 'The request took too long to arrive; the connection is closed.',
    message: 'The request took too long to arrive.',
  },
  431: {
    name: 'HeadersTooLarge',
    meaning: 'The address and headers together are too large to be read; the connection is closed.',
    message: 'The address and headers together are larger than 16 KiB.',
  },
} as const

export const refusedByListener = (components: Components): [number, Json][] =>
  Object.entries(REFUSALS).map(([status, { name, meaning, message }]) => [
    Number(status),
    components.use('responses', name, () => ({
      description: `\`invalid_request\`: ${meaning}`,
      headers: headersOf(['Cache-Control'], components),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              { type: 'object', properties: { error: { type: 'string', enum: ['invalid_request'] } } },
            ],
          },
          examples: { invalid_request: { value: { error: 'invalid_request', message } } },
        },
      },
    })),
  ])

import type { Components } from './components.ts'
import { headersOf } from './headers.ts'
import type { Json } from './schemas.ts'

/** Requests that the listener rejects before they reach the door: without request id, timing and RFC 9457 body. */
const REFUSALS = {
  408: {
    name: 'RequestTimeout',
    meaning: 'The request took too long to arrive; the connection is closed.',
    message: 'The request took too long to arrive.',
  },
  431: {
    name: 'HeadersTooLarge',
    meaning: 'Request line and headers are too large; the connection is closed.',
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

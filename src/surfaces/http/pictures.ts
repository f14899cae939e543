import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import type { Mount } from './exchange.ts'
import { withTimeout } from '../../kernel/timeout.ts'
import type { FileAddress } from '../openapi/address.ts'
import { sendBytes } from './send.ts'

type Needs = { get(id: string, signal: AbortSignal): Promise<Uint8Array | null> }

/** A year: the picture of an id never changes. */
const LIFETIME_SECONDS = 31_536_000
const TIMEOUT_MS = 10_000
const RETRY_AFTER_SECONDS = 5

/** A proxy may send the absolute URL as the request target. */
const ADDRESS = /^(?:https?:\/\/[^/?#]*)?\/screenshots\/([0-9a-f]{64})\.jpg(?:\?|$)/

/** The address as the OpenAPI document describes it. */
export const PICTURE_ADDRESS: FileAddress = {
  name: 'screenshot',
  capability: 'intel',
  path: '/screenshots/{file}',
  summary: 'Get a screenshot',
  description:
    'The picture that `screenshot_url` of `GET /v1/intel` names. It never changes. Screenshots and documents have a rate limit of their own.',
  parameter: {
    name: 'file',
    description: '64 hexadecimal digits and `.jpg`.',
    example: `${'0123456789abcdef'.repeat(4)}.jpg`,
  },
  mediaType: 'image/jpeg',
  errors: ['not_found', 'rate_limit_exceeded', 'service_unavailable'],
}

/** Serves pictures by id: `/screenshots/{id}.jpg`. */
export const pictureMount = ({ get }: Needs): Mount => ({
  name: 'screenshots',
  methods: ['GET'],
  path: PICTURE_ADDRESS.path,
  rate: 'document',
  async handle(exchange) {
    const [, id] = ADDRESS.exec(exchange.request.url ?? '') ?? []
    const reading = { who: 'the store of screenshots', timeoutMs: TIMEOUT_MS }
    const picture = id === undefined ? null : await withTimeout(reading, (signal) => get(id, signal)).catch(explain)
    if (!picture) throw new ApiError('not_found', 'There is no such screenshot, or it is no longer kept.')
    sendBytes(exchange, picture, 'image/jpeg', `public, max-age=${LIFETIME_SECONDS}, immutable`)
  },
})

function explain(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  throw new ApiError('service_unavailable', 'Screenshots cannot be read now; ask again in a few seconds.', {
    cause: error,
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  })
}

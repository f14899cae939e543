import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import type { Mount } from './exchange.ts'
import type { FileAddress } from '../openapi/address.ts'
import { sendBytes } from './send.ts'

type Needs = { get(id: string, signal: AbortSignal): Promise<Uint8Array | null> }

/** A year: what stands under such an id never becomes another picture. */
const LIFETIME = 31_536_000
const DEADLINE_MS = 10_000

/** The whole URL where a proxy names it, as at the door. */
const ADDRESS = /^(?:https?:\/\/[^/?#]*)?\/screenshots\/([0-9a-f]{64})\.jpg(?:\?|$)/

/** The same for the OpenAPI document. */
export const PICTURE_ADDRESS: FileAddress = {
  name: 'screenshot',
  capability: 'intel',
  path: '/screenshots/{file}',
  summary: 'Get a screenshot',
  description:
    'The picture that `screenshot_url` of `GET /v1/intel` names. It never changes, and is never rate-limited.',
  parameter: {
    name: 'file',
    description: '64 hexadecimal digits and `.jpg`.',
    example: `${'0123456789abcdef'.repeat(4)}.jpg`,
  },
  mediaType: 'image/jpeg',
  errors: ['not_found', 'service_unavailable'],
}

/** Pictures by their id: `/screenshots/{id}.jpg`. They never change, so clients may keep them for good. */
export const pictureMount = ({ get }: Needs): Mount => ({
  name: 'screenshots',
  methods: ['GET'],
  path: PICTURE_ADDRESS.path,
  async handle(exchange) {
    const [, id] = ADDRESS.exec(exchange.request.url ?? '') ?? []
    const picture = id === undefined ? null : await get(id, AbortSignal.timeout(DEADLINE_MS)).catch(explain)
    if (!picture) throw new ApiError('not_found', 'There is no such screenshot, or it is no longer kept.')
    sendBytes(exchange, picture, 'image/jpeg', `public, max-age=${LIFETIME}, immutable`)
  },
})

function explain(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  throw new ApiError('service_unavailable', 'Screenshots cannot be read now; ask again in a moment.', { cause: error })
}

import type { Endpoint } from '../../kernel/endpoint.ts'
import { ERRORS } from '../../kernel/errors.ts'
import { acceptsCredit } from './credit.ts'
import type { Components } from './components.ts'
import { CHALLENGES, COUNTED, EVERYWHERE, headersOf, SIMULATED } from './headers.ts'
import type { WayToPay } from './payment-info.ts'
import type { Json } from './schemas.ts'

const text = (description: string): Json => ({ type: 'string', description })

const X402_OFFER: Json = {
  type: 'object',
  description: 'What x402 version 1 accepts as payment.',
  properties: {
    scheme: text('Always `exact`.'),
    network: text('Name of the chain.'),
    maxAmountRequired: text('Amount in the smallest unit of the asset.'),
    resource: text('Absolute URL of the paid resource.'),
    description: text('Description of the purchase, for wallets to display.'),
    mimeType: text('Media type of the response.'),
    payTo: text('Address that receives the payment.'),
    maxTimeoutSeconds: { type: 'integer', description: 'Maximum validity of a payment, in seconds.' },
    asset: text('Contract of the token.'),
    extra: {
      type: 'object',
      description: 'Domain of the token for the signature (EIP-712).',
      properties: { name: text('Name of the token.'), version: text('Its version.') },
      required: ['name', 'version'],
    },
  },
  required: [
    'scheme',
    'network',
    'maxAmountRequired',
    'resource',
    'description',
    'mimeType',
    'payTo',
    'maxTimeoutSeconds',
    'asset',
    'extra',
  ],
}

const body = (offer: Json): Json => ({
  type: 'object',
  description: 'How to pay: by x402 (see `accepts`) or by MPP (see the header `WWW-Authenticate`).',
  properties: {
    error: { type: 'string', enum: ['payment_required'], description: 'Error code for programs.' },
    message: text('The price, or why the payment was rejected.'),
    type: { type: 'string', format: 'uri', description: 'The error as a URI of the `Payment` authentication scheme.' },
    title: text('What the type means.'),
    status: { type: 'integer', enum: [402], description: 'The HTTP status.' },
    detail: text('The same sentence as `message`.'),
    x402Version: {
      type: 'integer',
      enum: [1],
      description: 'Only if x402 is accepted. Version 2 is in `PAYMENT-REQUIRED`.',
    },
    accepts: { type: 'array', items: offer, description: 'Only if x402 is accepted: the accepted payments.' },
    challengeId: text('Only if MPP is accepted: the `id` of the challenge in `WWW-Authenticate`.'),
  },
  required: ['error', 'message', 'type', 'title', 'status', 'detail'],
})

const MESSAGE = 'This costs $0.05 a request, paid by x402 (see accepts) or MPP (see the WWW-Authenticate header).'

const EXAMPLE: Json = {
  error: 'payment_required',
  message: MESSAGE,
  type: 'https://paymentauth.org/problems/payment-required',
  title: 'Payment Required',
  status: 402,
  detail: MESSAGE,
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '50000',
      resource: 'https://names.example.org/v1/intel?domain=example.com',
      description: 'Tell whether a domain is parked, with a screenshot',
      mimeType: 'application/json',
      payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      maxTimeoutSeconds: 300,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
  challengeId: 'x7TgVQ5m0yqk1rB0n7d0c1yV9n0kQZr6f3m1Xb8sO0E',
}

/** The 402 response for both protocols. It has the members of RFC 9457 whatever the client accepts. */
export const paymentRequired = ({ rate }: Endpoint, components: Components): Json =>
  components.use('responses', rate === 'counted' ? 'PaymentRequired' : 'PaymentRequiredUncounted', () => {
    const offer = components.use('schemas', 'X402Offer', () => X402_OFFER)
    const headers = [...EVERYWHERE, ...CHALLENGES, ...SIMULATED, 'X-Ignored-Parameters'] as const
    return {
      description: `\`payment_required\`: ${ERRORS.payment_required.meaning}`,
      headers: headersOf(rate === 'counted' ? [...headers, ...COUNTED] : headers, components),
      content: {
        'application/json': {
          schema: components.use('schemas', 'PaymentRequired', () => body(offer)),
          examples: { payment_required: { value: EXAMPLE } },
        },
      },
    }
  })

const SCHEMES = {
  x402: { type: 'apiKey', in: 'header', name: 'PAYMENT-SIGNATURE', description: 'A payment by x402 version 2.' },
  x402v1: { type: 'apiKey', in: 'header', name: 'X-PAYMENT', description: 'A payment by x402 version 1.' },
  mpp: { type: 'http', scheme: 'Payment', description: 'A payment by MPP: the credential that answers the challenge.' },
} as const

const CREDIT_SCHEME = {
  credit: { type: 'http', scheme: 'bearer', description: 'The token of prepaid credit, from `POST /v1/credit`.' },
} as const

/** The headers that can carry a payment; without one the endpoint answers 402. */
export function paymentSecurity(endpoint: Endpoint, components: Components, ways: readonly WayToPay[]): Json {
  const { price, needsToken } = endpoint
  if (price === undefined && !needsToken) return {}
  // Where nothing can be paid the document describes the protocols all the same.
  const isOffered = (name: string) =>
    ways.length === 0 || ways.some(({ method }) => (method === 'tempo') === (name === 'mpp'))
  const schemes = [
    ...(price === undefined ? [] : Object.entries(SCHEMES).filter(([name]) => isOffered(name))),
    ...(needsToken || acceptsCredit(endpoint) ? Object.entries(CREDIT_SCHEME) : []),
  ]
  for (const [name, scheme] of schemes) components.use('securitySchemes', name, () => scheme)
  return { security: [...(needsToken ? [] : [{}]), ...schemes.map(([name]) => ({ [name]: [] }))] }
}

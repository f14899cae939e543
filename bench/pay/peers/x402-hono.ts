/** x402's own middleware, set up as its documentation shows. */
import { load, type Middleware, OFFER, servePaid } from './serve.ts'

type ResourceServer = { register(network: string, scheme: object): ResourceServer }
type X402Hono = {
  paymentMiddleware(routes: object, server: ResourceServer): Middleware
  x402ResourceServer: new (facilitator: object) => ResourceServer
}

const { paymentMiddleware, x402ResourceServer } = await load<X402Hono>('@x402/hono/dist/esm/index.mjs')
const { ExactEvmScheme } = await load<{ ExactEvmScheme: new () => object }>('@x402/evm/dist/esm/exact/server/index.mjs')

const { price, description, recipient, base } = OFFER
// In this process: nobody here has to wait for one, and nothing is ever paid.
const facilitator = {
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: 'exact', network: base.id }],
    extensions: [],
    signers: {},
  }),
  verify: () => Promise.reject(new Error('Nothing is paid here.')),
  settle: () => Promise.reject(new Error('Nothing is paid here.')),
}

await servePaid((app, paidPath) => {
  const accepts = { scheme: 'exact', price: `$${price}`, network: base.id, payTo: recipient }
  const server = new x402ResourceServer(facilitator).register(base.id, new ExactEvmScheme())
  app.use(paymentMiddleware({ [`GET ${paidPath}`]: { accepts, description } }, server))
})

/** mppx's own middleware: MPP alone, or x402 too where the first argument says `both`. */
import { load, type Middleware, OFFER, servePaid } from './serve.ts'

type MppxHono = {
  Mppx: { create(config: object): { charge(options: object): Middleware } }
  tempo: { charge(options: object): object }
  evm: { charge(options: object): object }
}

const { Mppx, tempo, evm } = await load<MppxHono>('mppx/dist/middlewares/hono.js')
const { createClient, http } = await load<{ createClient(options: object): object; http(url: string): object }>(
  'viem/_esm/index.js',
)
const chains = await load<{ tempo: object }>('viem/_esm/chains/index.js')

const { price, description, recipient, realm, secret } = OFFER
const client = createClient({ chain: chains.tempo, transport: http('http://127.0.0.1:9') })
const facilitator = {
  verify: () => Promise.reject(new Error('Nothing is paid here.')),
  settle: () => Promise.reject(new Error('Nothing is paid here.')),
}
const methods = [
  tempo.charge({ currency: OFFER.tempo.usdc, recipient, getClient: () => client, supportedModes: ['pull'] }),
  evm.charge({
    currency: OFFER.base.usdc,
    chainId: OFFER.base.chainId,
    decimals: 6,
    recipient,
    authorization: { name: 'USD Coin', version: '2' },
    x402: { facilitator },
  }),
]

await servePaid((app, paidPath) => {
  const offered = process.argv[2] === 'both' ? methods : methods.slice(0, 1)
  const mppx = Mppx.create({ methods: offered, realm, secretKey: secret })
  app.get(paidPath, mppx.charge({ amount: price, description }))
})

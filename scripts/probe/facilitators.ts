import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { createFacilitator } from '../../src/payments/sources/x402/facilitator.ts'
import { BASE, BASE_USDC, type Network } from '../../src/payments/sources/x402/network.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

const BASE_SEPOLIA: Network = { ...BASE, chainId: 84532, id: 'eip155:84532', name: 'base-sepolia' }

/** Facilitators that answer without an account, and a network that each says it supports. */
export const FACILITATORS: readonly { readonly url: string; readonly network: Network }[] = [
  { url: 'https://x402.org/facilitator', network: BASE_SEPOLIA },
  { url: 'https://facilitator.payai.network', network: BASE },
]

/** Asks each what it supports. Sends no payment. */
export const facilitatorProbes = (outbound: Outbound, facilitators = FACILITATORS): Probe[] =>
  facilitators.map(({ url, network }) => ({
    group: 'x402 facilitators',
    provider: network.name,
    host: new URL(url).host,
    async run(recorder, signal) {
      const client = outbound.open('payments')
      try {
        const facilitator = createFacilitator({ upstream: recorder.upstream(client), url, network, token: BASE_USDC })
        if (await facilitator.supports(signal)) return `lists exact payments on ${network.id} for version 2`
        throw new UnexpectedShape(`It does not list exact payments on ${network.id} for version 2.`)
      } finally {
        await client.close()
      }
    },
  }))

import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { findListProblem } from '../../src/registrars/price-list.ts'
import { fetchPorkbunPrices } from '../../src/registrars/sources/porkbun-prices.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

/** The public price list; none if the settings turn it off. */
export const priceProbes = (outbound: Outbound, url: string | null): Probe[] =>
  url === null
    ? []
    : [
        {
          group: 'Prices',
          provider: 'Porkbun',
          host: new URL(url).host,
          async run(recorder, signal) {
            const upstream = recorder.outbound(outbound).open('registrar')
            try {
              const list = await fetchPorkbunPrices({ upstream, url }, signal)
              const problem = findListProblem(list, undefined)
              if (problem !== undefined) throw new UnexpectedShape(`The price list cannot be right: ${problem}.`)
              const com = list.prices.get('com')
              return `${list.prices.size} TLDs, .com $${com?.registration} and $${com?.renewal}, ${list.refused.length} refused`
            } finally {
              await upstream.close()
            }
          },
        },
      ]

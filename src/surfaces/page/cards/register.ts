import { type Html, markup } from '../html.ts'
import { affiliateLinkOut, card, day, linkOut, money, state } from './card.ts'

type Link = {
  readonly name: string
  readonly slug: string
  readonly url: string
  readonly registrationPrice?: number
  readonly renewalPrice?: number
  readonly priceAsOf?: string
}
type Links = {
  readonly domain: string
  readonly premium?: boolean
  readonly premiumPrice?: number
  readonly premiumRenewalPrice?: number
  readonly registrars: readonly Link[]
}
type Options = {
  readonly number: number
  readonly domain: string
  /** Whether the operator earns a commission at the registrar. */
  readonly isAffiliate: (slug: string) => boolean
}

/** Where a domain that is free can be registered, and what it costs. */
export function registerCard(data: unknown, { number, domain, isAffiliate }: Options): Html {
  const links = (data as readonly Links[]).find((one) => one.domain === domain)
  if (!links) return markup``
  const { registrars, premium } = links
  const asOf = registrars.find(({ priceAsOf }) => priceAsOf !== undefined)?.priceAsOf
  return card({
    number,
    title: 'Register',
    aside: state('free', premium ? 'free, at a premium' : 'free'),
    body: markup`${premium ? premiumPrice(links) : null}<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Registrar</th>
            <th scope="col" class="num">First year</th>
            <th scope="col" class="num">Renewal</th>
          </tr>
        </thead>
        <tbody>
          ${registrars.map(
            ({ name, slug, url, registrationPrice, renewalPrice }) =>
              markup`<tr>
                <th scope="row">${isAffiliate(slug) ? affiliateLinkOut(url, name) : linkOut(url, name)}</th>
                <td class="num">${registrationPrice === undefined ? markup`<span class="q">at the registrar</span>` : markup`<b>${money(registrationPrice)}</b>`}</td>
                <td class="num">${renewalPrice === undefined ? null : money(renewalPrice)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`,
    source: `/v1/register?domain=${domain}`,
    notes: asOf === undefined ? [] : [`prices of ${day(asOf)}`],
  })
}

const premiumPrice = ({ premiumPrice: first, premiumRenewalPrice: renewal }: Links): Html =>
  first === undefined
    ? markup`<p>A premium name: the registrar sets its price.</p>`
    : markup`<p><span class="big">${money(first)}</span> <span class="q">premium, for the first year${renewal === undefined ? null : `; renews at ${money(renewal)}`}</span></p>`

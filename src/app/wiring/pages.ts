import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import { playWallet } from '../../payments/wallet-contract.ts'
import type { pageMounts } from '../../surfaces/page/mounts.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { statusOf } from '../../trademark/statuses.ts'
import type { Config } from '../settings/config.ts'
import { version } from '../version.ts'
import type { Payments } from './payments.ts'
import type { Registrars } from './registrars.ts'
import { findSwitches } from './switches.ts'

type Needs = {
  readonly config: Config
  readonly routes: readonly Route[]
  readonly registrars: Pick<Registrars, 'registrars' | 'priceTable'>
  readonly payments: Pick<Payments, 'mode'>
  readonly readiness: PageNeeds['readiness']
  readonly clock: Clock
}
type PageNeeds = Parameters<typeof pageMounts>[0]

/** What the pages need of the capabilities. */
export function pageNeeds({ config, routes, registrars, payments, readiness, clock }: Needs): PageNeeds {
  const catalogue = loadCatalogue()
  return {
    version,
    routeOf: (name) => routes.find(({ endpoint }) => endpoint.name === name)!,
    canPay: payments.mode !== 'off',
    playWallet: payments.mode === 'simulated' ? playWallet.path : null,
    readiness,
    switchesOf: (parts) => findSwitches(config, (name) => parts[name]?.status === 'off'),
    sets: [...catalogue.categories, { name: 'all', label: 'All', tlds: catalogue.all }],
    statusOf,
    prices: registrars.priceTable,
    isAffiliate: (slug) => registrars.registrars.some((one) => one.slug === slug && one.affiliateLink !== ''),
    isGeneric: (domain) => catalogue.find(domain.slice(domain.lastIndexOf('.') + 1))?.type === 'gTLD',
    clock,
  }
}

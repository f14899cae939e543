import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { pageMounts } from '../../surfaces/page/mounts.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { statusOf } from '../../trademark/statuses.ts'
import { version } from '../version.ts'

/** What the pages need of the capabilities. */
export function pageNeeds(routes: readonly Route[], clock: Clock): Parameters<typeof pageMounts>[0] {
  const catalogue = loadCatalogue()
  return {
    version,
    dossier: routes.find(({ endpoint }) => endpoint.name === 'nameDossier')!,
    sets: [...catalogue.categories, { name: 'all', label: 'All', tlds: catalogue.all }],
    statusOf,
    priceOf: () => undefined,
    isGeneric: (domain) => catalogue.find(domain.slice(domain.lastIndexOf('.') + 1))?.type === 'gTLD',
    clock,
  }
}

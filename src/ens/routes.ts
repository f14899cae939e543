import { type Clock, timestamp } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Hex } from '../kernel/hex.ts'
import { checkEns, ensHealth, ensMetadata, ensTransactionStatus } from './contract/lookups.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from './contract/management.ts'
import { checkEnsRegistration, ensPremium, prepareEnsCommit, prepareEnsRegister } from './contract/registration.ts'
import { type EnsName, withEth } from './contract/names.ts'
import type { Ens } from './service.ts'

type Needs = { readonly ens: Ens; readonly clock: Clock }

export const ensRoutes = (needs: Needs): Route[] => {
  const { ens } = needs
  return [
    route(checkEns, ({ name, refresh = false }, { signal }) => ens.check(name, { refresh, signal })),
    ...sharedRoutes(needs),
    route(ensTransactionStatus, ({ hash }, { signal }) => ens.transaction(hash.toLowerCase() as Hex, signal)),
    route(checkEnsRegistration, ({ name, duration_years }, { signal }) =>
      ens.register.check(name, duration_years, signal),
    ),
    route(prepareEnsCommit, (request, { signal }) => ens.register.prepareCommit(request, signal)),
    route(prepareEnsRegister, ({ registration_id }, { signal }) =>
      ens.register.prepareRegister(registration_id, signal),
    ),
    route(ensPremium, ({ name, below_usd }, { signal }) => ens.premium(name, below_usd, signal)),
    route(ensRecords, ({ name }, { signal }) => ens.manage.records(name, signal)),
    route(prepareEnsUpdate, ({ name, owner, ...requested }, { signal }) =>
      ens.manage.prepareUpdate(name, owner, requested, signal),
    ),
    route(ensExpiry, ({ name, duration_years }, { signal }) => ens.manage.expiry(name, duration_years, signal)),
    route(prepareEnsRenewal, ({ name, duration_years }, { signal }) =>
      ens.manage.prepareRenewal(name, duration_years, signal),
    ),
  ]
}

/** Routes of the second base URL, which serves only metadata and health. */
export const ensListenerRoutes = (needs: Needs): Route[] =>
  sharedRoutes(needs).map((shared) => ({
    ...shared,
    endpoint: { ...shared.endpoint, path: shared.endpoint.path.replace('/v1/ens', '') as `/${string}` },
  }))

const sharedRoutes = ({ ens, clock }: Needs): Route[] => [
  route(ensMetadata, async ({ name, names, refresh = false }, { signal }) => {
    const options = { refresh, signal }
    if (name !== undefined) return (await ens.metadata(name, options)) ?? notRegistered(name)
    if (names === undefined) throw new ApiError('missing_parameter', 'name is required; for example name=example.eth.')
    const began = clock.monotonic()
    const found = await ens.metadataOfAll(names, options)
    return {
      results: found.map((metadata, at) => metadata ?? notFound(names[at]!)),
      responseMs: Math.round(clock.monotonic() - began),
      timestamp: timestamp(clock),
    }
  }),
  route(ensHealth, (_input, { signal }) => ens.health(signal)),
]

const notFound = (name: EnsName) => ({
  name: withEth(name),
  error: 'not_found',
  message: `${withEth(name)} is not registered.`,
})

const notRegistered = (name: EnsName): never => {
  throw new ApiError('not_found', notFound(name).message)
}

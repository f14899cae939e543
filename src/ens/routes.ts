import { type Clock, timestamp } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Hex } from './chain/chain.ts'
import { checkEns, ensHealth, ensMetadata, ensTransactionStatus } from './contract/lookups.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from './contract/holding.ts'
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
    route(prepareEnsCommit, (wish, { signal }) => ens.register.prepareCommit(wish, signal)),
    route(prepareEnsRegister, ({ registration_id }, { signal }) =>
      ens.register.prepareRegister(registration_id, signal),
    ),
    route(ensPremium, ({ name, below_usd }, { signal }) => ens.premium(name, below_usd, signal)),
    route(ensRecords, ({ name }, { signal }) => ens.hold.records(name, signal)),
    route(prepareEnsUpdate, ({ name, owner, ...wanted }, { signal }) =>
      ens.hold.prepareUpdate(name, owner, wanted, signal),
    ),
    route(ensExpiry, ({ name, duration_years }, { signal }) => ens.hold.expiry(name, duration_years, signal)),
    route(prepareEnsRenewal, ({ name, duration_years }, { signal }) =>
      ens.hold.prepareRenewal(name, duration_years, signal),
    ),
  ]
}

/** The second base address, which serves these two and nothing else. */
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
      results: found.map((metadata, at) => metadata ?? absent(names[at]!)),
      responseMs: Math.round(clock.monotonic() - began),
      timestamp: timestamp(clock),
    }
  }),
  route(ensHealth, (_input, { signal }) => ens.health(signal)),
]

const absent = (name: EnsName) => ({
  name: withEth(name),
  error: 'not_found',
  message: `${withEth(name)} is not registered.`,
})

const notRegistered = (name: EnsName): never => {
  throw new ApiError('not_found', absent(name).message)
}

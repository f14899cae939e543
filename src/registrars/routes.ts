import { timestamp, type Clock } from '../kernel/clock.ts'
import { route, type Route } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { splitDomain } from '../kernel/names.ts'
import { registrationLinks } from './contract.ts'
import { createLink, type Registrar } from './links.ts'

type Needs = {
  readonly registrars: readonly Registrar[]
  /** Supported TLDs. */
  readonly suffixes: ReadonlySet<string>
  readonly clock: Clock
}

export function registrarRoutes({ registrars, suffixes, clock }: Needs): Route[] {
  return [
    route(registrationLinks, ({ domain, registrar: wanted }) => {
      const split = splitDomain(domain, suffixes)
      if (split.kind !== 'registrable') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
      const asked = wanted === undefined ? registrars : registrars.filter(({ slug }) => slug === wanted)
      const links = asked.map((registrar) => createLink(registrar, domain, split.suffix))
      return { domain, registrars: links, timestamp: timestamp(clock) }
    }),
  ]
}

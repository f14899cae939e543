import data from '../../data/parking-services.json' with { type: 'json' }
import { parseCidrs } from '../kernel/addresses.ts'

/**
 * How reliable a mark of a service is. `strong`: only parked names have it. `medium`: it may also be on a customer's own
 * page. `weak`: ordinary customers share it.
 */
export type Strength = 'strong' | 'medium' | 'weak'

export type ParkingService = {
  readonly name: string
  readonly kind: 'marketplace' | 'parking' | 'placeholder'
  readonly strength: Strength
  /** Suffixes of name server host names, or patterns with a star in the first label. */
  readonly nameservers?: readonly string[]
  /** Addresses and CIDR ranges. */
  readonly addresses?: readonly string[]
  /** Hosts that only parked pages load scripts, images and frames from. */
  readonly scripts?: readonly string[]
  /** Hosts that parked names redirect to. */
  readonly landers?: readonly string[]
}

const services = data.services as readonly ParkingService[]
const withAddresses = services.map((service) => ({ service, includes: parseCidrs(service.addresses ?? []) }))

/** Whether a host is the domain or a subdomain of it. */
export const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** The service with the strongest mark for this name server. A service is never found for a domain of its own. */
export const serviceOfNameserver = (nameserver: string, asked: string) =>
  strongest(services.filter((service) => !isOwnedBy(service, asked) && hasNameserver(service, nameserver)))

export const serviceOfAddress = (address: string, asked: string) =>
  strongest(
    withAddresses
      .filter(({ service, includes }) => !isOwnedBy(service, asked) && includes(address))
      .map(({ service }) => service),
  )

/** The service that only parked pages load resources from. */
export const serviceOfScript = (host: string, asked: string) =>
  strongest(services.filter((service) => !isOwnedBy(service, asked) && hasHost(service.scripts, host)))

/** The service that visitors are redirected to. */
export const serviceOfLander = (host: string, asked: string) =>
  strongest(services.filter((service) => !isOwnedBy(service, asked) && hasHost(service.landers, host)))

const hasHost = (hosts: readonly string[] | undefined, host: string) => (hosts ?? []).some((one) => isUnder(host, one))

/** Whether the requested domain is one of the service's own, such as its marketplace. */
const isOwnedBy = (service: ParkingService, asked: string) =>
  [...(service.scripts ?? []), ...(service.landers ?? []), ...(service.nameservers ?? [])].some((host) =>
    host.includes('*') ? asked === host.slice(host.indexOf('.') + 1) : isUnder(host, asked),
  )

const hasNameserver = (service: ParkingService, nameserver: string) =>
  (service.nameservers ?? []).some((pattern) => {
    const [before, after] = pattern.split('*')
    if (after === undefined) return isUnder(nameserver, pattern)
    return nameserver.startsWith(before!) && nameserver.endsWith(after)
  })

const STRENGTHS: readonly Strength[] = ['strong', 'medium', 'weak']
const strongest = (found: readonly ParkingService[]): ParkingService | undefined =>
  STRENGTHS.flatMap((strength) => found.filter((service) => service.strength === strength))[0]

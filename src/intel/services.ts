import data from '../../data/parking-services.json' with { type: 'json' }
import { parseCidrs } from '../kernel/addresses.ts'

/**
 * How sure a mark of a service is. `strong`: nothing but parked names has it. `medium`: a page of the service that may
 * also be a customer's own. `weak`: ordinary customers share it.
 */
export type Strength = 'strong' | 'medium' | 'weak'

export type ParkingService = {
  readonly name: string
  readonly kind: 'marketplace' | 'parking' | 'placeholder'
  readonly strength: Strength
  /** Name servers: the end of a host name, or with a star in its first label. */
  readonly nameservers?: readonly string[]
  /** Addresses and ranges. */
  readonly addresses?: readonly string[]
  /** Hosts whose scripts, pictures and frames only parked pages load. */
  readonly scripts?: readonly string[]
  /** Hosts that visitors of a parked name are sent to. */
  readonly landers?: readonly string[]
}

const services = data.services as readonly ParkingService[]
const known = services.map((service) => ({ service, holds: parseCidrs(service.addresses ?? []) }))

/** Whether a host is one of a domain's own hosts. */
export const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/** The surest of the services that a host name of a name server belongs to; the name's own service never counts. */
export const serviceOfNameserver = (nameserver: string, asked: string) =>
  surest(services.filter((service) => !isOwnedBy(service, asked) && hasNameserver(service, nameserver)))

export const serviceOfAddress = (address: string, asked: string) =>
  surest(
    known.filter(({ service, holds }) => !isOwnedBy(service, asked) && holds(address)).map(({ service }) => service),
  )

/** The service that only parked pages load things from. */
export const serviceOfScript = (host: string, asked: string) =>
  surest(services.filter((service) => !isOwnedBy(service, asked) && hasHost(service.scripts, host)))

/** The service that visitors were sent to. */
export const serviceOfLander = (host: string, asked: string) =>
  surest(services.filter((service) => !isOwnedBy(service, asked) && hasHost(service.landers, host)))

const hasHost = (hosts: readonly string[] | undefined, host: string) => (hosts ?? []).some((one) => isUnder(host, one))

/** Somebody's own site on the name of a service: its marketplace, its home page. */
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

const ORDER: readonly Strength[] = ['strong', 'medium', 'weak']
const surest = (found: readonly ParkingService[]): ParkingService | undefined =>
  ORDER.flatMap((strength) => found.filter((service) => service.strength === strength))[0]

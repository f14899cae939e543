import type { Capture } from './browser.ts'

/** All there is to tell a parked name from one in use. */
export type ParkingEvidence = {
  /** The name that was asked about, without a scheme. */
  readonly host: string
  readonly capture: Pick<Capture, 'finalUrl' | 'hops' | 'status' | 'firstBody' | 'html' | 'title' | 'text' | 'hosts'>
  /** Host names of its name servers, in lower case; empty where they are not known. */
  readonly nameservers: readonly string[]
  /** Its IPv4 and IPv6 addresses; empty where they are not known. */
  readonly addresses: readonly string[]
}

export type ParkingVerdict = {
  readonly parked: boolean
  /** How probable it is that the name is parked: 0 to 1. */
  readonly confidence: number
  /** What spoke for it, strongest first: `parking_nameserver`, `for_sale`, `ad_heavy` … */
  readonly signals: readonly string[]
}

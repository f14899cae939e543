import type { Capture } from './browser.ts'

/** What parking detection decides by. */
export type ParkingEvidence = {
  /** The requested domain. */
  readonly host: string
  readonly capture: Pick<Capture, 'finalUrl' | 'hops' | 'status' | 'firstBody' | 'html' | 'title' | 'text' | 'hosts'>
  /** Host names of its name servers, in lower case; empty if unknown. */
  readonly nameservers: readonly string[]
  /** Its IPv4 and IPv6 addresses; empty if unknown. */
  readonly addresses: readonly string[]
}

export type ParkingVerdict = {
  readonly parked: boolean
  /** Probability that the name is parked: 0 to 1. */
  readonly confidence: number
  /** The signals for it, strongest first: `parking_nameserver`, `for_sale`, `ad_heavy` … */
  readonly signals: readonly string[]
}

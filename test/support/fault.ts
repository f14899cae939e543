import type { Random } from '../../src/kernel/random.ts'

/** How a proxy treats what comes back from the server behind it. */
export type Fault =
  | { readonly kind: 'none' }
  /** Every packet is late by `ms`, and by up to `jitterMs` more. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs: number }
  /** The connection is reset after this many bytes of the answer; at 0 before the first. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The connection ends properly, but early. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Nothing more after this many bytes, and the connection never ends: the peer is gone without a word. */
  | { readonly kind: 'half-open'; readonly afterBytes: number }
  /** Random bytes instead of the answer. */
  | { readonly kind: 'garbage' }
  /** A few bytes at a time. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly intervalMs: number }
  /** Connections are accepted, and nothing is read or answered. */
  | { readonly kind: 'black-hole' }
  /** A TLS handshake is answered with an alert. */
  | { readonly kind: 'tls-failure' }

export type FaultKind = Fault['kind']

export const FAULT_KINDS = [
  'latency',
  'reset',
  'cut',
  'half-open',
  'garbage',
  'drip',
  'black-hole',
  'tls-failure',
] as const satisfies readonly FaultKind[]

/** A fault of this kind with random figures. */
export function randomFault(kind: FaultKind, random: Random): Fault {
  const afterBytes = random.below(2) * random.below(400)
  switch (kind) {
    case 'latency':
      return { kind, ms: random.below(400), jitterMs: random.below(800) }
    case 'reset':
    case 'cut':
    case 'half-open':
      return { kind, afterBytes }
    case 'drip':
      return { kind, bytes: random.below(12) + 1, intervalMs: random.below(150) + 10 }
    default:
      return { kind }
  }
}

export const describeFault = ({ kind, ...figures }: Fault): string =>
  [kind, ...Object.entries(figures).map(([name, value]) => `${name} ${value}`)].join(', ')

/** A relay on loopback with a fault in it. */
export type FaultProxy = {
  /** `127.0.0.1:PORT` */
  readonly address: string
  /** From now on, for open connections too. A connection that has gone dead stays so. */
  set(fault: Fault): void
  stop(): Promise<void>
}

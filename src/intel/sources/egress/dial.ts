import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { canonicalAddress } from '../../../kernel/addresses.ts'

type Target = { readonly addresses: readonly string[]; readonly port: number }

/** Why a connection failed: timeout, no route from this machine, or refused. */
export function failureOf(error: unknown): 'timeout' | 'no_route' | 'closed' {
  const all = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  const codes = all.map((one) => (one instanceof Error && 'code' in one ? one.code : undefined))
  if (codes.includes('ETIMEDOUT') || codes.includes('ABORT_ERR')) return 'timeout'
  return codes.every((code) => code === 'ENETUNREACH') ? 'no_route' : 'closed'
}

/** Connects to the first of these addresses that responds, and to no other. Throws if none does in time. */
export async function dial({ addresses, port }: Target, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  limit.throwIfAborted()
  const socket = connect({
    // Never resolved: `lookup` returns the given addresses.
    host: 'pinned.invalid',
    port,
    lookup: (_host, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
    autoSelectFamily: true,
    noDelay: true,
  })
  try {
    await once(socket, 'connect', { signal: limit })
    const reached = canonicalAddress(socket.remoteAddress ?? '')
    if (reached === undefined || !addresses.includes(reached)) throw new Error('connected to an address not asked for')
    return socket
  } catch (error) {
    // An abandoned socket may still emit an error.
    socket.on('error', () => {}).destroy()
    throw error
  }
}

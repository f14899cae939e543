import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { CHAOS_HOST_SUFFIX } from './hosts.ts'

/**
 * Loaded into the service before its own code (`--import`): names of the simulated nodes lead to loopback, because real
 * payments accept no node on this machine; and the system clock is off by CHAOS_CLOCK_OFFSET_MS.
 */
type Callback = (error: Error | null, address: unknown, family?: number) => void

const systemLookup = dns.lookup
const lookup = (host: string, options: { all?: boolean }, callback: Callback): void => {
  if (!host.endsWith(CHAOS_HOST_SUFFIX)) {
    ;(systemLookup as (host: string, options: object, callback: Callback) => void)(host, options, callback)
    return
  }
  const found = { address: '127.0.0.1', family: 4 }
  process.nextTick(() => (options.all ? callback(null, [found]) : callback(null, found.address, found.family)))
}
dns.lookup = lookup as typeof dns.lookup
syncBuiltinESMExports()

const offsetMs = Number(process.env['CHAOS_CLOCK_OFFSET_MS'] ?? 0)
if (offsetMs !== 0) {
  const RealDate = Date
  const now = (): number => RealDate.now() + offsetMs
  globalThis.Date = class extends RealDate {
    constructor(...parts: unknown[]) {
      super(...((parts.length === 0 ? [now()] : parts) as [number]))
    }
    static override now = now
  } as DateConstructor
}

/**
 * Loaded into a contestant before its own code (`--import`): the clock of the machine jumps a day forth and back, as one
 * does that is set by hand or wakes from sleep. The clock that counts from the start of the process goes on as ever.
 */
const DAY_MS = 86_400_000
const READINGS = 25
const JUMPS = [0, DAY_MS, -DAY_MS]

const RealDate = Date
let readings = 0
const now = (): number => RealDate.now() + JUMPS[Math.floor(readings++ / READINGS) % JUMPS.length]!

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [now()] : parts) as [number]))
  }
  static override now = now
} as DateConstructor

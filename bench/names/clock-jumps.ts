/**
 * Loaded into a contestant before its own code (`--import`): the system clock jumps a day forward and back, as after
 * a manual change or sleep. The monotonic clock is not affected.
 */
const DAY_MS = 86_400_000
const READINGS_PER_JUMP = 25
const OFFSETS_MS = [0, DAY_MS, -DAY_MS]

const RealDate = Date
let readings = 0
const now = (): number => RealDate.now() + OFFSETS_MS[Math.floor(readings++ / READINGS_PER_JUMP) % OFFSETS_MS.length]!

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [now()] : parts) as [number]))
  }
  static override now = now
} as DateConstructor

import { iana } from './iana.ts'
import type { Simulator } from './simulator.ts'

/** Everything `npm run sandbox` starts, in this order. */
export const SIMULATORS: readonly Simulator[] = [iana]

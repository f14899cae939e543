/** Loaded into the service before its own code (`--import`): reports the longest delay of its event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type LoopDelayRequest = { readonly ask: 'loop-delay' }
/** Since the last report. */
export type LoopDelay = { readonly maxMs: number }

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
process.on('message', (message: Partial<LoopDelayRequest>) => {
  if (message.ask !== 'loop-delay') return
  // The interval of the timer is part of what it measures.
  process.send?.({ maxMs: Math.max(delay.max / 1e6 - RESOLUTION_MS, 0) } satisfies LoopDelay)
  delay.reset()
})
process.channel?.unref()

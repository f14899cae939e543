import { setTimeout as sleep } from 'node:timers/promises'

/** Lets real time pass; rejects with an AbortError when told to stop waiting. */
export const wait = async (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })

import type { Attack } from './attack.ts'
import { get, sendRequest } from './victim.ts'

const CHECKS = 60
const NAMES = 20
const MAX_P50_MS = 300
/** One name every two seconds, so that the victim itself does not use up the registry. */
const VICTIM_EVERY_MS = 2_000
const VICTIM_REQUESTS = 10

let names = 0

/**
 * Sixty checks of twenty names open at any time, at a registry that allows twenty requests a second. The victim asks for
 * one name there. `addresses` is the number of clients the sixty come from.
 */
export const slowRegistryAttack = (name: string, addresses: number): Attack => ({
  name,
  internet: { registries: { com: { rdapLimit: { perSecond: 20, burst: 20 } } } },
  // A check takes longer than its share of the rate limit: without it the attacker would be refused at the door.
  env: { ONOMA_RATE_LIMIT: '65535' },
  async start({ url }) {
    const stopped = new AbortController()
    const loop = async (id: number): Promise<void> => {
      for (let round = 0; !stopped.signal.aborted; round++) {
        const domains = Array.from({ length: NAMES }, (_, at) => `free-${id}-${round}-${at}.com`)
        const headers = { 'x-forwarded-for': `198.51.100.${id % addresses}` }
        const target = `${url}/v1/check?domain=${domains.join(',')}`
        await sendRequest(target, { headers, signal: stopped.signal }).catch(() => {})
      }
    }
    for (let id = 0; id < CHECKS; id++) void loop(id)
    return async () => stopped.abort()
  },
  async victim({ url }) {
    const at = names++
    const body = await get(`${url}/v1/check?domain=free-victim-${at}.com`, `203.0.113.${at % 250}`)
    const { available } = JSON.parse(body.toString()) as { available: boolean }
    if (!available) throw new Error('The name is free, but was not found to be.')
  },
  victimEveryMs: VICTIM_EVERY_MS,
  victimRequests: VICTIM_REQUESTS,
  maxP50Ms: MAX_P50_MS,
})

export const attack: Attack = slowRegistryAttack('60 checks of 20 names at a 20/s registry, one address', 1)

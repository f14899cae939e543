import { loadRegistries } from '../../sandbox/names/registries.ts'
import type { Attack } from './attack.ts'
import { checkNewNames } from './new-names.ts'
import { get } from './victim.ts'

const DEAD = loadRegistries().find(({ tlds }) => tlds.some(({ tld }) => tld === 'io'))!

/** One registry is a black hole and clients keep asking for its names; another client asks for a name of another one. */
export const attack: Attack = {
  name: 'one registry is silent',
  internet: { registries: { [DEAD.id]: { rdapDown: 'hang', whoisLimit: { perSecond: 0.001, burst: 1 } } } },
  env: { ONOMA_RATE_LIMIT: '60000' },
  start: async ({ url }) => checkNewNames({ url, tlds: ['io'], loops: 40, pauseMs: 50 }),
  victim: async ({ url }) => void (await get(`${url}/v1/check?domain=taken-shop.com`, '203.0.113.9')),
}

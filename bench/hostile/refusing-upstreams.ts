import type { Attack } from './attack.ts'
import { checkNewNames } from './new-names.ts'
import { get } from './victim.ts'

/** RDAP refuses every connection while clients keep asking; another client reads what is cached. */
export const attack: Attack = {
  name: 'all RDAP servers refuse connections',
  internet: { rdapDown: 'refused' },
  env: { ONOMA_RATE_LIMIT: '60000' },
  start: async ({ url }) => checkNewNames({ url, tlds: ['com', 'org', 'io', 'app'], loops: 10, pauseMs: 50 }),
  victim: async ({ url }) => void (await get(`${url}/v1/check?domain=taken-shop.com`, '203.0.113.9')),
}

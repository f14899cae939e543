import type { Attack } from './attack.ts'
import { checkNewNames } from './new-names.ts'

/** Name servers, resolver and RDAP are black holes, and WHOIS refuses nearly everything, while clients keep asking. */
export const attack: Attack = {
  name: 'all upstreams are silent',
  internet: {
    rdapDown: 'hang',
    whoisLimit: { perSecond: 0.001, burst: 1 },
    dns: { silent: ['a', 'b', 'recursor'] },
  },
  start: async ({ url }) => checkNewNames({ url, tlds: ['com', 'org', 'io', 'app'], loops: 40, pauseMs: 50 }),
}

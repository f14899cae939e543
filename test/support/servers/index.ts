import { chromium } from './chromium.ts'
import { haproxy } from './haproxy.ts'
import { knot } from './knot.ts'
import { nginx } from './nginx.ts'
import type { Server } from './server.ts'
import { unbound } from './unbound.ts'

/** Every server a suite may ask for with `// needs: <name>`. */
export const SERVERS: readonly Server[] = [nginx, haproxy, knot, unbound, chromium]

import { nginx } from './nginx.ts'
import type { Server } from './server.ts'

/** Every server a suite may ask for with `// needs: <name>`. */
export const SERVERS: readonly Server[] = [nginx]

import type { Route } from '../../kernel/endpoint.ts'
import type { docsMounts } from '../../surfaces/docs/mounts.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { version } from '../version.ts'

/** What the reference shows of the service. */
export const docsNeeds = (
  routes: readonly Route[],
  publicUrl: string,
  rateLimit: number | null,
): Parameters<typeof docsMounts>[0] => ({ routes, version, publicUrl, rateLimit, tlds: loadCatalogue().all.length })

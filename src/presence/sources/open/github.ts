import * as z from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Found } from '../../search-engine.ts'
import { mustFit } from '../results.ts'
import { createBudget, limitError } from './budget.ts'
import { cleanFound, entriesOf, openUrl, type OpenServices, type OpenSource } from './open-source.ts'

/** Searches a minute that GitHub allows: without a token, and with one. */
const MAX_PER_MINUTE = { anonymous: 10, withToken: 30 }
/** There is a repository for almost every word; this many people have marked one that is known. */
const MIN_STARS = 10
const DEFAULT_BLOCK_MS = 60_000

const Reply = z.object({ items: z.array(z.unknown()) })
const Account = z.object({ login: z.string(), html_url: z.string() })
const Repository = z.object({
  name: z.string(),
  html_url: z.string(),
  description: z.string().nullish().catch(null),
  stargazers_count: z.int().min(MIN_STARS),
})

type Options = OpenServices & { readonly token: string | null; readonly clock: Clock }

/** Accounts and known repositories on GitHub. */
export function github({ token, clock, ...services }: Options): OpenSource {
  const budget = createBudget({
    perMinute: token === null ? MAX_PER_MINUTE.anonymous : MAX_PER_MINUTE.withToken,
    clock,
  })
  const search = async (what: 'users' | 'repositories', words: string, signal: AbortSignal) => {
    const url = openUrl(services, 'api.github.com', `/search/${what}`)
    url.searchParams.set('q', words)
    const headers = {
      accept: 'application/vnd.github+json',
      'user-agent': services.userAgent,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }
    const reply = await services.upstream.request({ url, headers, accept: [200, 403, 422], signal })
    if (reply.status === 422) throw new UpstreamError('unavailable', 'it rejected the query')
    if (reply.status === 403) {
      // GitHub says with 403 that a limit is reached, too.
      if (reply.headers['x-ratelimit-remaining'] !== '0' && reply.headers['retry-after'] === undefined)
        throw new UpstreamError('auth_error', 'it rejected the token')
      const waitMs = waitOf(reply.headers, clock.now())
      budget.block(waitMs)
      throw limitError('it asked us to wait', waitMs)
    }
    return mustFit(Reply, reply.json()).items
  }
  return {
    id: 'github',
    async find(words, signal) {
      budget.spend(2)
      const [accounts, repositories] = await Promise.all([
        search('users', words, signal),
        search('repositories', words, signal),
      ])
      const found: Found[] = [
        ...entriesOf(Account, accounts)
          .slice(0, 10)
          .map(({ login, html_url: url }) => ({ title: login, url, snippet: 'GitHub account' })),
        ...entriesOf(Repository, repositories).map(({ name, html_url: url, description }) => ({
          title: name,
          url,
          snippet: `Software: ${description ?? ''}`,
        })),
      ]
      return cleanFound(found)
    },
  }
}

function waitOf(headers: Readonly<Record<string, string>>, now: number): number {
  const seconds = Number(headers['retry-after'] ?? Number(headers['x-ratelimit-reset']) - now / 1000)
  return seconds > 0 && seconds <= 3600 ? Math.ceil(seconds * 1000) : DEFAULT_BLOCK_MS
}

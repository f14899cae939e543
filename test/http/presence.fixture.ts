import type { TestContext } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { EngineId, Presence } from '../../src/presence/contract.ts'
import { presenceRoutes } from '../../src/presence/routes.ts'
import type { Found, SearchEngine } from '../../src/presence/search-engine.ts'
import { createPresence } from '../../src/presence/service.ts'
import { type Reply, startDoor } from '../support/door.ts'

type EngineReply = readonly Found[] | UpstreamFailure | 'silent'
type Body = ReturnType<(typeof Presence)['parse']> & { error?: string; message?: string }

export const BRAND: Found[] = [
  { title: 'Orlavent | Home', url: 'https://orlavent.com/', snippet: 'A company founded in 1990.' },
  { title: 'Orlavent | LinkedIn', url: 'https://www.linkedin.com/company/orlavent', snippet: '' },
  { title: 'Orlavent on the App Store', url: 'https://apps.apple.com/app/orlavent/id1', snippet: 'Download.' },
  { title: 'Why we like Orlavent', url: 'https://paper.example/1', snippet: '' },
  { title: 'Weather', url: 'https://paper.example/2', snippet: 'in Orlavent' },
]

type Options = {
  readonly registered?: boolean | null | UpstreamFailure | 'silent'
  /** Called by each engine and the registry before they reply. */
  readonly before?: (who: string, signal: AbortSignal) => Promise<void>
}

/** `/v1/name-search-presence` over HTTP, with the given results or failures of each engine. */
export async function startPresence(
  t: TestContext,
  replies: Partial<Record<EngineId, EngineReply>>,
  options: Options = {},
) {
  const clock = manualClock()
  const asked: string[] = []
  const silence = (signal: AbortSignal) =>
    new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const engines = Object.entries(replies).map(([id, one]): SearchEngine => ({
    id: id as EngineId,
    async search(words, signal) {
      asked.push(`${id} ${words}`)
      await options.before?.(id, signal)
      if (one === 'silent') return silence(signal)
      if (typeof one === 'string') throw new UpstreamError(one, 'secret.host said no')
      return { found: one, total: id === 'engine_b' ? 1230 : null }
    },
  }))
  const presence = createPresence({
    engines,
    async isRegistered(label, signal) {
      asked.push(`registry ${label}`)
      await options.before?.('registry', signal)
      const { registered = false } = options
      if (registered === 'silent') return silence(signal)
      if (typeof registered === 'string') throw new UpstreamError(registered, 'no')
      return registered
    },
    commonnessOf: (word) => ({ green: 0.43, leaf: 0.26 })[word] ?? 0,
    clock,
    random: seededRandom(1),
  })
  const door = await startDoor(presenceRoutes(presence))
  t.after(() => door.stop())
  const search = async (query: string) => {
    const reply = await door.get(`/v1/name-search-presence?${query}`)
    return { ...reply, body: reply.body as Body }
  }
  return { search, asked, clock, door, presence }
}
export const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

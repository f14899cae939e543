import type { Clock } from '../../../kernel/clock.ts'
import { failureMessage, UpstreamError } from '../../../kernel/errors.ts'
import { gather } from '../../../kernel/gather.ts'
import { DEFAULT_TIMEOUT_MS, type EngineId } from '../../contract.ts'
import type { Found, SearchEngine } from '../../search-engine.ts'
import type { OpenSource } from './open-source.ts'

type Options = { readonly id: EngineId; readonly sources: readonly OpenSource[]; readonly clock: Clock }

/** Share of the engine's timeout that each source has, so that the others are returned if one is slow. */
const SOURCE_TIMEOUT_SHARE = 0.8

/**
 * An engine without a key: open registers and our own DNS instead of a web index. The answer says which sources it
 * covers, and which of them failed.
 */
export const openKnowledge = ({ id, sources, clock }: Options): SearchEngine => ({
  id,
  async search(words, signal, timeoutMs = DEFAULT_TIMEOUT_MS) {
    const tasks = sources.map((source) => ({
      source: source.id,
      run: (own: AbortSignal) => source.find(words, own),
    }))
    const { answers, failures } = await gather(tasks, { timeoutMs: timeoutMs * SOURCE_TIMEOUT_SHARE, clock, signal })
    // DNS alone says too little: without a register, a low score would look like a result.
    if (!answers.some(({ source }) => source !== 'dns'))
      throw failures[0]?.error ?? new UpstreamError('unavailable', 'none of its sources answered')
    return {
      found: interleave(answers.map(({ value }) => value)),
      total: null,
      coverage: {
        answered: answers.map(({ source }) => source),
        failed: failures.map(({ source, error }) => ({ source, message: failureMessage(source, error) })),
      },
    }
  },
})

/** The first result of every source, then the second of each, and so on: each source puts its best first. */
function interleave(lists: readonly (readonly Found[])[]): Found[] {
  const rows = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: rows }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

import { createDice } from '../../sandbox/trademark/dice.ts'
import { createRegister } from '../../sandbox/trademark/generator.ts'
import { VARIANTS, variantOf, type VariantKind } from '../../sandbox/trademark/variants.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { tokenize } from '../../src/trademark/tokenize.ts'

/** Number of queries, and how many had the mark among the first 10 and the first 50. */
export type Recall = { asked: number; in10: number; in50: number }

/** Minimum share among the first 10; the other kinds have no target. */
export const TARGETS: Partial<Record<VariantKind, number>> = {
  exact: 1,
  'one typo': 0.97,
  'two typos': 0.9,
  respelled: 0.95,
  joined: 0.99,
  split: 0.99,
  plural: 0.97,
  'word order': 0.95,
}

export type Miss = { readonly kind: string; readonly asked: string; readonly mark: string; readonly first: string }

/** A text that should find a mark, and the class to search in, if any. */
type RecallQuery = { readonly text: string; readonly mark: string; readonly class?: string | undefined }

export const noRecall = (): Recall => ({ asked: 0, in10: 0, in50: 0 })

/**
 * Searches and counts the result; returns the miss, if it is one. Any record with the words of the mark counts as found. Results
 * are grouped by text, so that fifty records of one mark do not hide the next mark.
 */
export async function searchAndCount(
  index: SearchIndex,
  query: RecallQuery,
  into: Recall,
): Promise<Omit<Miss, 'kind'> | null> {
  const { text, class: only } = query
  const { hits } = await index.search({ text, life: 'all', group: 'mark', offset: 0, limit: 50, class: only })
  const wanted = tokenize(query.mark).join(' ')
  const place = hits.findIndex(({ record }) => tokenize(record.mark).join(' ') === wanted)
  into.asked++
  if (place >= 0) into.in50++
  if (place >= 0 && place < 10) into.in10++
  return place >= 0 && place < 10 ? null : { asked: text, mark: query.mark, first: hits[0]?.record.mark ?? '' }
}

export type ScorePlan = {
  readonly seed: number
  readonly size: number
  /** Per kind of variant. */
  readonly queries: number
  /** Concurrent queries. */
  readonly concurrent: number
}

/** Searches for variants of marks of the whole register. */
export async function scoreVariants(
  index: SearchIndex,
  plan: ScorePlan,
): Promise<{ recalls: ReadonlyMap<VariantKind, Recall>; misses: Miss[] }> {
  const recalls = new Map<VariantKind, Recall>()
  const misses: Miss[] = []
  for (const kind of VARIANTS) {
    const recall = noRecall()
    recalls.set(kind, recall)
    const queries = queriesOf(kind, plan)
    const ask = async () => {
      for (const query of queries) {
        const miss = await searchAndCount(index, query, recall)
        if (miss) misses.push({ kind, ...miss })
      }
    }
    await Promise.all(Array.from({ length: plan.concurrent }, ask))
  }
  return { recalls, misses }
}

const PURPOSE = 1_000
/** Per query: a small register may not have enough marks for a kind of variant. */
const MAX_ATTEMPTS = 200

function* queriesOf(kind: VariantKind, { seed, size, queries }: ScorePlan): Generator<RecallQuery> {
  const register = createRegister({ seed })
  const dice = createDice(seed)
  dice.reseed(0, PURPOSE + VARIANTS.indexOf(kind))
  for (let tries = 0, made = 0; made < queries && tries < queries * MAX_ATTEMPTS; tries++) {
    const mark = register.mark(dice.below(size))
    const text = variantOf(kind, mark, dice)
    if (text === null) continue
    made++
    yield { text, mark }
  }
}

import { createDice } from '../../sandbox/trademark/dice.ts'
import { createRegister } from '../../sandbox/trademark/generator.ts'
import { VARIANTS, variantOf, type VariantKind } from '../../sandbox/trademark/variants.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { tokenize } from '../../src/trademark/tokenize.ts'

/** Number of queries, and how many had the mark among the first 10 and the first 50. */
export type Recall = { asked: number; in10: number; in50: number }

/** What at least is wanted among the first 10; of the others we only want to know. */
export const WANTED: Partial<Record<VariantKind, number>> = {
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

/** A text that means a mark, and the class it is looked for in, if any. */
type Question = { readonly text: string; readonly mark: string; readonly class?: string | undefined }

export const noRecall = (): Recall => ({ asked: 0, in10: 0, in50: 0 })

/**
 * Asks and counts. What is found is found by its words: the same mark may be there many times, and any of them will do.
 * So each text is one row; otherwise fifty records of one mark would hide the next.
 */
export async function look(index: SearchIndex, question: Question, into: Recall): Promise<Omit<Miss, 'kind'> | null> {
  const { text, class: only } = question
  const { hits } = await index.search({ text, life: 'all', group: 'mark', offset: 0, limit: 50, class: only })
  const wanted = tokenize(question.mark).join(' ')
  const place = hits.findIndex(({ record }) => tokenize(record.mark).join(' ') === wanted)
  into.asked++
  if (place >= 0) into.in50++
  if (place >= 0 && place < 10) into.in10++
  return place >= 0 && place < 10 ? null : { asked: text, mark: question.mark, first: hits[0]?.record.mark ?? '' }
}

export type ScorePlan = {
  readonly seed: number
  readonly size: number
  /** Of each kind. */
  readonly queries: number
  /** How many are asked at the same time. */
  readonly atOnce: number
}

/** Asks for marks of the whole register as people write them who mean them. */
export async function scoreVariants(
  index: SearchIndex,
  plan: ScorePlan,
): Promise<{ recalls: ReadonlyMap<VariantKind, Recall>; misses: Miss[] }> {
  const recalls = new Map<VariantKind, Recall>()
  const misses: Miss[] = []
  for (const kind of VARIANTS) {
    const recall = noRecall()
    recalls.set(kind, recall)
    const questions = questionsOf(kind, plan)
    const ask = async () => {
      for (const question of questions) {
        const miss = await look(index, question, recall)
        if (miss) misses.push({ kind, ...miss })
      }
    }
    await Promise.all(Array.from({ length: plan.atOnce }, ask))
  }
  return { recalls, misses }
}

const PURPOSE = 1_000
/** A register without enough marks of a kind must not keep us for ever. */
const MAX_ATTEMPTS = 200

function* questionsOf(kind: VariantKind, { seed, size, queries }: ScorePlan): Generator<Question> {
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

import { scoreOf, type PreparedQuery } from '../../scoring.ts'
import type { Card, RecordNumber, Store } from './store.ts'

export type Ranked = {
  readonly number: RecordNumber
  readonly score: number
  readonly card: Card
  readonly length: number
}

/** Scores each candidate once, however often it turns up. */
export function createRanking(store: Store, query: PreparedQuery) {
  const scored = new Map<RecordNumber, Ranked>()
  const read = (number: RecordNumber): Ranked => {
    let ranked = scored.get(number)
    if (!ranked) {
      const card = store.card(number)
      ranked = { number, card, score: scoreOf(query, card), length: card.mark.length }
      scored.set(number, ranked)
    }
    return ranked
  }
  /** Best first. What is only similar in part is there when it has this score. */
  return (whole: ReadonlySet<RecordNumber>, partial: ReadonlySet<RecordNumber>, least: number): Ranked[] => {
    const all = [...whole].map(read)
    for (const number of partial) {
      if (whole.has(number)) continue
      const ranked = read(number)
      if (ranked.score >= least) all.push(ranked)
    }
    return all.sort((a, b) => b.score - a.score || a.length - b.length || (a.card.serial < b.card.serial ? -1 : 1))
  }
}

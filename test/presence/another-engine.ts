import type { Page } from '../../sandbox/engine-shapes.ts'
import type { Random } from '../../src/kernel/random.ts'

/** No two engines agree on the order, nor on everything that is worth showing. */
export function asAnotherEngine(pages: readonly Page[], chance: Random): Page[] {
  const placed = pages.map((page, at) => ({ page, at: at + chance.fraction() * 3 }))
  return placed
    .toSorted((a, b) => a.at - b.at)
    .map(({ page }) => page)
    .filter(() => chance.below(12) > 0)
}

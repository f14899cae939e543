import { createDice, type Dice } from '../../sandbox/trademark/dice.ts'
import { createRegister, type Register } from '../../sandbox/trademark/generator.ts'
import { variantOf } from '../../sandbox/trademark/variants.ts'
import { WORDS } from '../../sandbox/trademark/word-lists.ts'
import { LAWYER_QUERIES } from './lawyer-queries.ts'
import type { ExpiryQuery, MarkQuery, Page, SearchIndex, TextQuery } from '../../src/trademark/search-index.ts'
import { tokenize } from '../../src/trademark/tokenize.ts'

export const KINDS = [
  'exact',
  'one typo',
  'respelled',
  'split, respelled',
  'joined, respelled',
  'lawyers',
  'common word',
  'in class',
  'goods',
  'owner',
  'expiring',
] as const
export type Kind = (typeof KINDS)[number]

export type IndexQuery =
  | { readonly method: 'search'; readonly question: MarkQuery }
  | { readonly method: 'byDescription' | 'byOwner'; readonly question: TextQuery }
  | { readonly method: 'expiring'; readonly question: ExpiryQuery }

export function runOn(index: SearchIndex, { method, question }: IndexQuery): Promise<Page> {
  switch (method) {
    case 'search':
      return index.search(question)
    case 'byDescription':
    case 'byOwner':
      return index[method](question)
    case 'expiring':
      return index.expiring(question)
  }
}

/** Share of each kind in mixed traffic, in percent. */
const MIX_PERCENT: Readonly<Record<Kind, number>> = {
  exact: 40,
  'one typo': 15,
  respelled: 15,
  'split, respelled': 0,
  'joined, respelled': 0,
  lawyers: 0,
  'common word': 4,
  'in class': 8,
  goods: 8,
  owner: 8,
  expiring: 2,
}

/** Separates the random numbers of the queries from those of the register. */
const DICE_PURPOSE = 2_000
const PAGE = { offset: 0, limit: 10 }

export type Queries = {
  /** Queries of this kind; every set has different ones. */
  of(kind: Kind, set: number, count: number): IndexQuery[]
  mixed(count: number): IndexQuery[]
}

/** Typical queries to an index of the first `size` records of an invented register. */
export function createQueries({ seed, size }: { readonly seed: number; readonly size: number }): Queries {
  const register = createRegister({ seed })
  const dice = createDice(seed)
  const make = (kind: Kind): IndexQuery => {
    while (true) {
      const query = createQuery(kind, register, size, dice)
      if (query !== null) return query
    }
  }
  return {
    of(kind, set, count) {
      // A fixed list, in its order: these queries do not come from the register.
      if (kind === 'lawyers')
        return Array.from({ length: count }, (_, at) => mark(LAWYER_QUERIES[at % LAWYER_QUERIES.length]!))
      dice.reseed(set, DICE_PURPOSE + KINDS.indexOf(kind))
      return Array.from({ length: count }, () => make(kind))
    },
    mixed(count) {
      dice.reseed(0, DICE_PURPOSE - 1)
      const deck = KINDS.flatMap((kind) => Array.from({ length: MIX_PERCENT[kind] }, () => kind))
      return Array.from({ length: count }, () => make(dice.pick(deck)))
    },
  }
}

function createQuery(kind: Kind, register: Register, size: number, dice: Dice): IndexQuery | null {
  const index = dice.below(size)
  switch (kind) {
    case 'exact':
    case 'one typo':
    case 'respelled': {
      const text = variantOf(kind, register.mark(index), dice)
      return text === null ? null : mark(text)
    }
    case 'split, respelled':
    case 'joined, respelled': {
      const spaced = variantOf(kind === 'split, respelled' ? 'split' : 'joined', register.mark(index), dice)
      const text = spaced === null ? null : variantOf('respelled', spaced, dice)
      return text === null ? null : mark(text)
    }
    case 'lawyers':
      return mark(dice.pick(LAWYER_QUERIES))
    case 'common word':
      return mark(WORDS[dice.below(60)]!)
    case 'in class': {
      const record = register.record(index)
      return record.mark === '' ? null : mark(record.mark, record.classes[0])
    }
    case 'goods': {
      const words = tokenize(register.record(index).goods).filter((word) => word.length > 3)
      const start = dice.below(words.length)
      return text('byDescription', words.slice(start, start + 1 + dice.below(3)).join(' '))
    }
    case 'owner': {
      const { owner } = register.record(index)
      return text('byOwner', dice.chance(0.6) ? owner : tokenize(owner)[0]!)
    }
    case 'expiring': {
      const from = (2026 + dice.below(9)) * 10_000 + (1 + dice.below(12)) * 100 + 1
      return {
        method: 'expiring',
        question: { from, to: from + dice.below(28), offset: dice.below(3) * 200, limit: 10 },
      }
    }
  }
}

const mark = (text: string, only?: string): IndexQuery => ({
  method: 'search',
  question: { text, class: only, life: 'all', ...PAGE },
})
const text = (method: 'byDescription' | 'byOwner', words: string): IndexQuery => ({
  method,
  question: { text: words, life: 'all', ...PAGE },
})

export type PartPlan = {
  readonly name: string
  /** In the folder `bench/growth`. */
  readonly file: string
  /** The bench writes the entries itself, so the time of the build means nothing. */
  readonly isFilled?: boolean
  /** Operations that may grow linearly, and why. All others may grow logarithmically. */
  readonly linear: Readonly<Record<string, string>>
}

export const PARTS: readonly PartPlan[] = [
  { name: 'names in a bulk', file: 'bulk.ts', linear: {} },
  { name: 'cached names', file: 'cached-names.ts', linear: {} },
  { name: 'rate-limit clients', file: 'rate-limit-clients.ts', linear: {} },
  {
    name: 'auctions',
    file: 'auctions.ts',
    linear: {
      'part of a name':
        'every answer has the total, so all matches are counted; in columns in memory, off the main thread',
      'filter and sort':
        'every answer has the total, so all matches are counted; in columns in memory, off the main thread',
    },
  },
  { name: 'sales', file: 'sales.ts', linear: {} },
  {
    name: 'marks',
    file: 'marks.ts',
    linear: {
      exact: 'the marks that share a word with the query grow with the register, and each is scored',
      'one typo': 'the words that are similar to a misspelled one grow with the register',
      goods: 'all records whose goods contain the words are counted for the total',
      owner: 'all records of owners with the word are counted for the total',
    },
  },
  { name: 'payments', file: 'payments.ts', isFilled: true, linear: {} },
  { name: 'credit draws', file: 'credit-draws.ts', isFilled: true, linear: {} },
]

import type { Draft } from './making.ts'
import { PLAIN_FAMILIES } from './ordinary-plain.ts'
import { TEMPTING_FAMILIES } from './ordinary-tempting.ts'

/** Pages of domains in use: plain ones, and likely false positives. */
export const ORDINARY_FAMILIES: readonly (readonly [family: string, drafts: () => Draft[]])[] = [
  ...PLAIN_FAMILIES,
  ...TEMPTING_FAMILIES,
]

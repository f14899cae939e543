import type { Draft } from './making.ts'
import { PLAIN_FAMILIES } from './ordinary-plain.ts'
import { TEMPTING_FAMILIES } from './ordinary-tempting.ts'

/** Pages of names in use: those that are little, and those that sound as if they were parked. */
export const ORDINARY_FAMILIES: readonly (readonly [family: string, drafts: () => Draft[]])[] = [
  ...PLAIN_FAMILIES,
  ...TEMPTING_FAMILIES,
]

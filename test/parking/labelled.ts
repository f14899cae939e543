import { evidenceOf, type Labelled, type Maker } from './making.ts'
import { ORDINARY_FAMILIES } from './ordinary.ts'
import { SERVICE_FAMILIES } from './parked-services.ts'
import { TEXT_FAMILIES } from './parked-texts.ts'
import { STRUCTURE_ORDINARY_HELD_OUT, STRUCTURE_PARKED_HELD_OUT } from './structure-held-out.ts'
import { STRUCTURE_ORDINARY_TUNED, STRUCTURE_PARKED_TUNED } from './structure-tuned.ts'
import { parkedPages } from './tongues/layouts.ts'
import { ordinaryPages } from './tongues/ordinary.ts'
import { PARKED_HELD_OUT } from './tongues/parked-held-out.ts'
import { PARKED_TUNED } from './tongues/parked-tuned.ts'

const label = (makers: readonly Maker[], parked: boolean): Labelled[] =>
  makers.flatMap(([family, drafts]) =>
    drafts().map((draft, at) => ({ family, name: `${family} ${at + 1}`, parked, evidence: evidenceOf(draft) })),
  )

const FIRST_PARKED = [...SERVICE_FAMILIES, ...TEXT_FAMILIES]
const LATER_PARKED: readonly Maker[] = [
  ['nine further languages, parked', () => parkedPages(PARKED_TUNED, 0)],
  ['nine further languages, parked, held out', () => parkedPages(PARKED_HELD_OUT, 41)],
  ...STRUCTURE_PARKED_TUNED,
  ...STRUCTURE_PARKED_HELD_OUT,
]
const LATER_ORDINARY: readonly Maker[] = [
  ['nine further languages, in use', () => ordinaryPages(false)],
  ['nine further languages, in use, held out', () => ordinaryPages(true)],
  ...STRUCTURE_ORDINARY_TUNED,
  ...STRUCTURE_ORDINARY_HELD_OUT,
]
const namesOf = (makers: readonly Maker[]) => makers.map(([family]) => family)
const HELD_OUT: ReadonlySet<string> = new Set([
  // Every second one of the first families, in the order of definition.
  ...[...FIRST_PARKED, ...ORDINARY_FAMILIES].flatMap(([family], at) => (at % 2 === 1 ? [family] : [])),
  ...namesOf([...LATER_PARKED, ...LATER_ORDINARY]).filter((family) => family.endsWith('held out')),
  ...namesOf([...STRUCTURE_PARKED_HELD_OUT, ...STRUCTURE_ORDINARY_HELD_OUT]),
])

/** The first labelled set, the baseline for later changes. */
export const firstPages = (): Labelled[] => [...label(FIRST_PARKED, true), ...label(ORDINARY_FAMILIES, false)]

const laterPages = (): Labelled[] => [...label(LATER_PARKED, true), ...label(LATER_ORDINARY, false)]

/** All labelled pages. */
export const labelledPages = (): Labelled[] => [...firstPages(), ...laterPages()]

/** Whether a family is held out: weights must not be tuned on it. */
export const isHeldOut = (family: string): boolean => HELD_OUT.has(family)

import { evidenceOf, type Draft, type Labelled } from './making.ts'
import { ORDINARY_FAMILIES } from './ordinary.ts'
import { SERVICE_FAMILIES } from './parked-services.ts'
import { TEXT_FAMILIES } from './parked-texts.ts'

type Maker = readonly [family: string, drafts: () => Draft[]]

const label = (makers: readonly Maker[], parked: boolean): Labelled[] =>
  makers.flatMap(([family, drafts]) =>
    drafts().map((draft, at) => ({ family, name: `${family} ${at + 1}`, parked, evidence: evidenceOf(draft) })),
  )

/** All pages with what they are. */
export const labelledPages = (): Labelled[] => [
  ...label([...SERVICE_FAMILIES, ...TEXT_FAMILIES], true),
  ...label(ORDINARY_FAMILIES, false),
]

/** Whether weights must be set without a look at a family: every second one, in the order they are written. */
export function isHeldOut(family: string): boolean {
  const families = [...SERVICE_FAMILIES, ...TEXT_FAMILIES, ...ORDINARY_FAMILIES].map(([name]) => name)
  return families.indexOf(family) % 2 === 1
}

import type { Case } from './cases.ts'
import { hasTime, isMissing, RULES, sameInstant, valueAt } from './rules.ts'

type Count = { right: number; of: number }
/** Case, field, kind of mistake, expected value and actual value. */
type Mistake = readonly [id: string, field: string, way: string, ...values: unknown[]]

export type Score = {
  readonly fields: Count
  readonly missing: number
  readonly wrong: number
  /** Cases with all expected fields right. */
  readonly cases: Count
  readonly crashes: number
  /** Rejected queries and errors, and how many of them were reported as available. */
  readonly nonAnswers: { available: number; of: number }
  readonly instants: Count
  /** Values returned although the source says that they are absent. */
  readonly invented: { told: number; of: number }
  readonly byField: ReadonlyMap<string, Count>
  readonly mistakes: readonly Mistake[]
}

export async function scoreCases(cases: readonly Case[], read: (one: Case) => Promise<unknown>): Promise<Score> {
  const byField = new Map<string, Count>()
  const mistakes: Mistake[] = []
  const score = { missing: 0, wrong: 0, crashes: 0 }
  const fields = { right: 0, of: 0 }
  const whole = { right: 0, of: 0 }
  const nonAnswers = { available: 0, of: 0 }
  const instants = { right: 0, of: 0 }
  const invented = { told: 0, of: 0 }

  for (const one of cases) {
    let record: unknown = {}
    const before = mistakes.length
    try {
      record = await read(one)
    } catch (error) {
      score.crashes++
      mistakes.push([one.id, 'crash', String(error).slice(0, 100)])
    }
    const { expected } = one
    if (isMissing(expected.available)) {
      nonAnswers.of++
      if (valueAt(record, 'available') === true) {
        nonAnswers.available++
        mistakes.push([one.id, 'available', `claims available on ${expected.outcome}`])
      }
    }
    for (const [field, same] of Object.entries(RULES)) {
      const wanted = valueAt(expected, field)
      if (wanted === undefined || wanted === null) continue
      const count = byField.get(field) ?? { right: 0, of: 0 }
      byField.set(field, count)
      count.of++
      const got = valueAt(record, field)
      if (isMissing(got)) {
        score.missing++
        mistakes.push([one.id, field, 'missing', wanted])
        continue
      }
      if (same(wanted, got)) count.right++
      else {
        score.wrong++
        mistakes.push([one.id, field, 'wrong', wanted, got])
      }
      if (field.startsWith('dates.') && hasTime(wanted)) {
        instants.of++
        if (sameInstant(wanted, got)) instants.right++
      }
    }
    for (const field of expected.absent) {
      invented.of++
      if (!isMissing(valueAt(record, field))) invented.told++
    }
    whole.of++
    if (mistakes.length === before) whole.right++
  }

  for (const { right, of } of byField.values()) {
    fields.right += right
    fields.of += of
  }
  return { ...score, fields, cases: whole, nonAnswers, instants, invented, byField, mistakes }
}

const percent = (part: number, of: number): string => (of === 0 ? '-' : `${((100 * part) / of).toFixed(1)}%`)
const share = (part: number, of: number): string => `${part}/${of} = ${percent(part, of)}`

/** One line with the score, in the format of the corpus' own scorer, and one with the share of every field. */
export function summary(folder: string, score: Score): string[] {
  const { fields, missing, wrong, cases, crashes, nonAnswers, instants, invented, byField } = score
  const parts = [
    `fields ${share(fields.right, fields.of)} (missing ${missing}, wrong ${wrong})`,
    `whole cases right ${share(cases.right, cases.of)}`,
    `crashes ${crashes}`,
    `says "available" on throttled/error/other ${nonAnswers.available}/${nonAnswers.of}`,
    `exact instants ${percent(instants.right, instants.of)}`,
    `invents a value the source says is absent ${invented.told}/${invented.of}`,
  ]
  const each = [...byField].map(([field, { right, of }]) => `${field} ${percent(right, of)} of ${of}`)
  return [`onoma on ${folder}: ${parts.join(', ')}`, each.join('; ')]
}

import type { ParkingEvidence, ParkingVerdict } from './parking.ts'
import { fromElsewhere } from './signals-elsewhere.ts'
import { combine, fromMarks, fromDns, fromSaleLinks, fromVisit } from './signals-marks.ts'
import { fromEmptiness, fromText } from './signals-text.ts'
import { createView, type Pages } from './signals.ts'
import { WEIGHTS } from './weights.ts'

/** Confidence stays between this and its complement: no page is proof. */
const MAX_CONFIDENCE = 0.99
/** Signals with less weight are left out of the response. */
const MIN_REPORTED_WEIGHT = 0.25

/**
 * Whether a name is parked, with what confidence and by which signals. The weights are log-odds and are summed. Marks of
 * a parking service count in full; statements in the text count less the more content of its own the site has.
 */
export function detectParking(evidence: ParkingEvidence, pages?: Pages): ParkingVerdict {
  const view = createView(evidence, pages)
  const signals = combine([
    ...fromMarks(view),
    ...fromVisit(view),
    ...fromElsewhere(view),
    ...fromSaleLinks(view),
    ...fromText(view),
    ...fromDns(view),
    ...fromEmptiness(view),
  ])
  const against = WEIGHTS.ownContent * view.ownContent + (evidence.capture.status >= 400 ? WEIGHTS.failed : 0)
  const odds = signals.reduce((sum, { weight }) => sum + weight, WEIGHTS.start + against)
  const confidence =
    Math.round(Math.min(MAX_CONFIDENCE, Math.max(1 - MAX_CONFIDENCE, 1 / (1 + Math.exp(-odds)))) * 100) / 100
  return {
    parked: confidence >= 0.5,
    confidence,
    signals: signals.filter(({ weight }) => weight >= MIN_REPORTED_WEIGHT).map(({ name }) => name),
  }
}

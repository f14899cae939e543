import type { ParkingEvidence, ParkingVerdict } from './parking.ts'
import { fromElsewhere } from './signals-elsewhere.ts'
import { combine, fromMarks, fromNameSystem, fromSaleLinks, fromVisit } from './signals-marks.ts'
import { fromEmptiness, fromText } from './signals-text.ts'
import { viewOf } from './signals.ts'
import { WEIGHTS } from './weights.ts'

/** Nobody is ever quite sure. */
const SUREST = 0.99
/** Below this an observation is not worth telling. */
const TOLD = 0.25

/**
 * Whether a name is parked, how probable that is, and what spoke for it. Evidence adds up in log-odds: what a service
 * leaves on its pages counts in full, what the words say counts less the more of a site there is around them.
 */
export function detectParking(evidence: ParkingEvidence): ParkingVerdict {
  const view = viewOf(evidence)
  const signals = combine([
    ...fromMarks(view),
    ...fromVisit(view),
    ...fromElsewhere(view),
    ...fromSaleLinks(view),
    ...fromText(view),
    ...fromNameSystem(view),
    ...fromEmptiness(view),
  ])
  const against = WEIGHTS.ownContent * view.ownContent + (evidence.capture.status >= 400 ? WEIGHTS.failed : 0)
  const odds = signals.reduce((sum, { weight }) => sum + weight, WEIGHTS.start + against)
  const confidence = Math.round(Math.min(SUREST, Math.max(1 - SUREST, 1 / (1 + Math.exp(-odds)))) * 100) / 100
  return {
    parked: confidence >= 0.5,
    confidence,
    signals: signals.filter(({ weight }) => weight >= TOLD).map(({ name }) => name),
  }
}

import type { TrademarkRecord } from '../../record.ts'

/**
 * Merges a stored record with a version that arrived. An older version changes nothing. Fields that a newer version leaves empty
 * keep their values, because the register sometimes sends nearly empty records.
 */
export function mergeRecords(known: TrademarkRecord, arrived: TrademarkRecord): TrademarkRecord {
  if (arrived.transactionDate < known.transactionDate) return known
  return {
    serial: known.serial,
    mark: arrived.mark || known.mark,
    pseudoMarks: preferArrived(arrived.pseudoMarks, known.pseudoMarks),
    status: arrived.status || known.status,
    statusDate: arrived.statusDate ?? known.statusDate,
    filingDate: arrived.filingDate ?? known.filingDate,
    registrationDate: arrived.registrationDate ?? known.registrationDate,
    renewalDate: arrived.renewalDate ?? known.renewalDate,
    transactionDate: arrived.transactionDate,
    owner: arrived.owner || known.owner,
    goods: arrived.goods || known.goods,
    classes: preferArrived(arrived.classes, known.classes),
    attorney: arrived.attorney || known.attorney,
    history: preferArrived(arrived.history, known.history),
  }
}

const preferArrived = (arrived: readonly string[], known: readonly string[]) => (arrived.length > 0 ? arrived : known)

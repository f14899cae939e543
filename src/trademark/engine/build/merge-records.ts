import type { TrademarkRecord } from '../../record.ts'

/**
 * What holds when another version of a record arrives. An older one changes nothing; a newer one that leaves something
 * out leaves it as it was, since the register now and then sends a record with hardly anything in it.
 */
export function mergeRecords(known: TrademarkRecord, arrived: TrademarkRecord): TrademarkRecord {
  if (arrived.transactionDate < known.transactionDate) return known
  return {
    serial: known.serial,
    mark: arrived.mark || known.mark,
    pseudoMarks: fuller(arrived.pseudoMarks, known.pseudoMarks),
    status: arrived.status || known.status,
    statusDate: arrived.statusDate ?? known.statusDate,
    filingDate: arrived.filingDate ?? known.filingDate,
    registrationDate: arrived.registrationDate ?? known.registrationDate,
    renewalDate: arrived.renewalDate ?? known.renewalDate,
    transactionDate: arrived.transactionDate,
    owner: arrived.owner || known.owner,
    goods: arrived.goods || known.goods,
    classes: fuller(arrived.classes, known.classes),
    attorney: arrived.attorney || known.attorney,
    history: fuller(arrived.history, known.history),
  }
}

const fuller = (arrived: readonly string[], known: readonly string[]) => (arrived.length > 0 ? arrived : known)

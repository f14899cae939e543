import type { TrademarkRecord } from '../../record.ts'

/**
 * A record as it is kept: its values in this order, without their names, which would be a quarter of it. It is not
 * packed any further: that would halve the file, and cost more time for each record than all the rest of an import.
 */
export const packBody = (record: TrademarkRecord): string =>
  JSON.stringify([
    record.serial,
    record.mark,
    record.pseudoMarks,
    record.status,
    record.statusDate,
    record.filingDate,
    record.registrationDate,
    record.renewalDate,
    record.transactionDate,
    record.owner,
    record.goods,
    record.classes,
    record.attorney,
    record.history,
  ])

type Values = [
  serial: string,
  mark: string,
  pseudoMarks: string[],
  status: string,
  statusDate: number | null,
  filingDate: number | null,
  registrationDate: number | null,
  renewalDate: number | null,
  transactionDate: number,
  owner: string,
  goods: string,
  classes: string[],
  attorney: string,
  history: string[],
]

export function unpackBody(body: string): TrademarkRecord {
  const values = JSON.parse(body) as Values
  return {
    serial: values[0],
    mark: values[1],
    pseudoMarks: values[2],
    status: values[3],
    statusDate: values[4],
    filingDate: values[5],
    registrationDate: values[6],
    renewalDate: values[7],
    transactionDate: values[8],
    owner: values[9],
    goods: values[10],
    classes: values[11],
    attorney: values[12],
    history: values[13],
  }
}

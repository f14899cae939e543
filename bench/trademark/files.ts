import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRegister, generateRegister } from '../../sandbox/trademark/generator.ts'
import { writeRegisterFile, type WrittenFile } from '../../sandbox/trademark/register-file.ts'
import { caseXml, XML_HEAD, XML_TAIL } from '../../sandbox/trademark/register-xml.ts'
import { readRegister } from '../../src/trademark/import/read-register.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'

export type FilePlan = {
  readonly folder: string
  readonly seed: number
  /** Records of the register that is there already. */
  readonly size: number
  /** Records in the file like those of the annual set. */
  readonly annual: number
  /** Records in the daily file. */
  readonly daily: number
}
export type Files = { readonly annual: WrittenFile; readonly annualPath: string; readonly dailyPath: string }

/** A mark that only the daily file has. */
export const ARRIVAL = 'QUIXOTRAVEMBLE ARRIVES TODAY'

/** A zip like those of the annual set, and a daily file unzipped: half of it newer versions, half new records. */
export async function writeFiles({ folder, seed, size, annual, daily }: FilePlan): Promise<Files> {
  const annualPath = join(folder, 'apc18840407-20251231-01.zip')
  const dailyPath = join(folder, 'apc260102.xml')
  const written = await writeRegisterFile(annualPath, generateRegister({ seed, size: annual }))
  await pipeline(Readable.from(dailyXml({ seed, size, daily })), createWriteStream(dailyPath))
  return { annual: written, annualPath, dailyPath }
}

function* dailyXml({ seed, size, daily }: Pick<FilePlan, 'seed' | 'size' | 'daily'>): Generator<string> {
  const register = createRegister({ seed })
  const touched = Math.floor(daily / 2)
  yield XML_HEAD
  for (let at = 0; at < daily; at++) {
    const isNew = at >= touched
    const record = register.record(isNew ? size + at : Math.floor((at * size) / touched))
    yield caseXml({ ...record, ...(isNew ? {} : NEWER), ...(at === daily - 1 ? { mark: ARRIVAL } : {}) })
  }
  yield XML_TAIL
}

const NEWER: Partial<TrademarkRecord> = { transactionDate: 20260102, statusDate: 20260102, status: '702' }

/** Unpacks a file and reads its records, and does nothing with them. */
export async function readFileOnly(path: string): Promise<number> {
  let records = 0
  for await (const _record of readRegister(path)) records++
  return records
}

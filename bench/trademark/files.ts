import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRegister, generateRegister } from '../../sandbox/trademark/generator.ts'
import { writeRegisterFile, type WrittenFile } from '../../sandbox/trademark/register-file.ts'
import { caseXml, XML_HEAD, XML_TAIL } from '../../sandbox/trademark/register-xml.ts'
import { readPortions } from '../../src/trademark/engine/build/file-reader.ts'

export type FilePlan = {
  readonly folder: string
  readonly seed: number
  /** Records of the register that was built; `known` includes those of earlier daily files. */
  readonly size: number
  readonly known: number
  /** Records in the annual file. */
  readonly annual: number
  /** Records in the daily file. */
  readonly daily: number
}
export type Files = {
  readonly annual: WrittenFile
  readonly annualPath: string
  /** The first quarter of the annual file: the difference shows the cost of a further record. */
  readonly quarter: WrittenFile
  readonly quarterPath: string
  readonly dailyPath: string
}

/** A mark that only the daily file after `known` records contains. */
export const newMark = (known: number) => `QUIXOTRAVEMBLE ${known}`

/** Writes a zip like those of the annual set, its first quarter, and an unzipped daily file: half updates, half new records. */
export async function writeFiles({ folder, seed, annual, ...plan }: FilePlan): Promise<Files> {
  const annualPath = join(folder, 'apc18840407-20251231-01.zip')
  const quarterPath = join(folder, 'apc18840407-20251231-02.zip')
  const dailyPath = join(folder, 'apc260102.xml')
  const written = await writeRegisterFile(annualPath, generateRegister({ seed, size: annual }))
  const quarter = await writeRegisterFile(quarterPath, generateRegister({ seed, size: Math.ceil(annual / 4) }))
  await pipeline(Readable.from(dailyXml({ seed, ...plan })), createWriteStream(dailyPath))
  return { annual: written, annualPath, quarter, quarterPath, dailyPath }
}

function* dailyXml({ seed, size, known, daily }: Omit<FilePlan, 'folder' | 'annual'>): Generator<string> {
  const register = createRegister({ seed })
  const updated = Math.floor(daily / 2)
  // Differs from an earlier daily file, if there was one.
  const newer = { transactionDate: 20260102, statusDate: 20260102, status: '702', attorney: `Counsel ${known}` }
  yield XML_HEAD
  for (let at = 0; at < daily; at++) {
    const isNew = at >= updated
    const record = register.record(isNew ? known + at : Math.floor((at * size) / updated))
    yield caseXml({ ...record, ...(isNew ? {} : newer), ...(at === daily - 1 ? { mark: newMark(known) } : {}) })
  }
  yield XML_TAIL
}

/** Unpacks and parses a file; returns the number of records. */
export async function countRecords(path: string): Promise<number> {
  let records = 0
  for await (const { ends } of readPortions(path, {})) records += ends.length
  return records
}

/** Reads all files of a folder into the file cache of the system. */
export async function warmFileCache(folder: string): Promise<void> {
  for (const { name } of await readdir(folder, { withFileTypes: true }).then((all) =>
    all.filter((one) => one.isFile()),
  ))
    for await (const _chunk of createReadStream(join(folder, name), { highWaterMark: 4 * 1024 * 1024 })) continue
}

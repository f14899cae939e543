/** Past sales: imported from a CSV file, and searched for comparables of a name. */
import { createWriteStream, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { comparablesOf } from '../../src/valuation/comparables.ts'
import { createDescriber } from '../../src/valuation/describe.ts'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'
import { openSalesBook } from '../../src/valuation/sources/sales-book.ts'
import { salesFile } from '../../src/valuation/sources/sales-file.ts'
import { takeInSales } from '../../src/valuation/sources/sales-intake.ts'
import { createRng, generateName, generateSales } from '../valuation/generate.ts'
import type { Part } from './part.ts'

const fileIn = (folder: string): string => join(folder, 'sales.csv')
const words = bundledWords()
bundledAppraiser()
const { suffixes } = loadCatalogue()
const describe = createDescriber(words)

export const part: Part = {
  async prepare(size, folder) {
    mkdirSync(folder, { recursive: true })
    await pipeline(Readable.from(generateSales(words, size)), createWriteStream(fileIn(folder)))
  },
  async build(_size, folder) {
    const { signal } = new AbortController()
    await takeInSales(fileIn(folder), { folder, source: null, suffixes, describe, clock, signal })
    const onTrouble = (error: Error) => {
      throw error
    }
    const book = openSalesBook({ folder, starter: [], onTrouble })
    const rng = createRng(11)
    return {
      operations: {
        'find comparables': () => {
          const [label = '', tld = ''] = generateName(words, rng).split('.')
          const name = describe({ label, tld })
          return comparablesOf(name, book.like(name))
        },
      },
      rounds: 300,
      diskBytes: statSync(salesFile(folder)).size,
      close: () => book.close(),
    }
  },
}

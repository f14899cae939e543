import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '../../kernel/clock.ts'
import type { Describe } from '../describe.ts'
import { categoryOf } from '../category.ts'
import { takeInSales } from './sales-intake.ts'

/** Cuts at hyphens: a test then says itself what the words are. */
export const describeByHyphens: Describe = ({ label, tld }) => {
  const words = label.split('-')
  return { label, tld, words, category: categoryOf(words) }
}

/** A folder of its own that sales are imported into. */
export function salesFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-sales-'))
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  let files = 0
  const write = (text: string | Buffer) => {
    const file = join(folder, `sales-${++files}.csv`)
    writeFileSync(file, text)
    return file
  }
  return {
    folder,
    write,
    take: (text: string | Buffer, more: Partial<Parameters<typeof takeInSales>[1]> = {}) =>
      takeInSales(write(text), {
        folder,
        source: null,
        suffixes: new Set(['com', 'net', 'io', 'co.uk']),
        describe: describeByHyphens,
        clock,
        signal: new AbortController().signal,
        ...more,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const HEADER = 'domain,price_usd,date,source\n'

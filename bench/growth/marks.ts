/** Trademark records of an invented register: indexed, and searched through the service's own threads. */
import { mkdirSync } from 'node:fs'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import { ingestRecords, openIndex } from '../trademark/index-under-test.ts'
import { createQueries, runOn } from '../trademark/queries.ts'
import type { Part } from './part.ts'

const SEED = 20_260_101
const SAMPLE_RECORDS = 20_000

export const part: Part = {
  /** Records are generated while they are indexed, so that a million need not be in memory. */
  prepare(size, folder) {
    mkdirSync(folder, { recursive: true })
    const sample = Math.min(size, SAMPLE_RECORDS)
    const before = process.cpuUsage()
    for (const _record of generateRegister({ seed: SEED, size: sample })) continue
    const { user, system } = process.cpuUsage(before)
    return (((user + system) / 1000) * size) / sample
  },
  async build(size, folder) {
    await ingestRecords(folder, `${size}`, generateRegister({ seed: SEED, size }))
    const index = openIndex(folder, { threads: 1 })
    const queries = createQueries({ seed: SEED, size })
    const kinds = (['exact', 'one typo', 'goods', 'owner'] as const).map((kind) => {
      const list = queries.of(kind, 1, 60)
      return [kind, (at: number) => runOn(index, list[at % list.length]!)] as const
    })
    return { operations: Object.fromEntries(kinds), rounds: 60, close: () => index.close() }
  },
}

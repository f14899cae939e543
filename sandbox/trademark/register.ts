import { join } from 'node:path'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import type { Simulator, Suggestion } from '../simulator.ts'
import { generateRegister } from './generator.ts'

const RECORDS = 50_000

/** A register of invented marks. Its index is built in the background and is ready a few seconds after the start. */
export const trademark: Simulator = {
  name: 'trademark',
  about: `a register of ${RECORDS.toLocaleString('en')} invented marks, searchable a few seconds after the start`,
  async start({ seed, clock, folder }) {
    const index = join(folder, 'index')
    const ending = new AbortController()
    const register = recordsSource(`invented ${seed}`, generateRegister({ size: RECORDS, seed }))
    const built = ingest(index, [register], { clock, signal: ending.signal }).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error
    })
    return {
      settings: { ONOMA_TRADEMARK_INDEX: index },
      addresses: {},
      tryThese: ({ url }) => suggestions(url),
      async stop() {
        ending.abort()
        await built
      },
    }
  },
}

const suggestions = (url: string): Suggestion[] => [
  { url: `${url}/v1/trademark/search/status`, status: 200, shows: 'whether the trademark index is ready' },
]

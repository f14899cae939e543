import { join } from 'node:path'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import type { Simulator, Suggestion } from '../simulator.ts'
import { generateRegister } from './generator.ts'

const SIZE = 50_000

/** A register of invented marks. It is built while the rest is up already: the index is there a few seconds later. */
export const trademark: Simulator = {
  name: 'trademark',
  about: `a register of ${SIZE.toLocaleString('en')} invented marks, searchable a few seconds after the start`,
  async start({ seed, clock, folder }) {
    const index = join(folder, 'index')
    const ending = new AbortController()
    const register = recordsSource(`invented ${seed}`, generateRegister({ size: SIZE, seed }))
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
  { url: `${url}/v1/trademark/search/status`, status: 200, shows: 'whether the trademark index is there yet' },
]

import type { TestContext } from 'node:test'
import { recordsOf } from '../../sources/records.fixture.ts'
import { recordsSource } from '../build/file-source.ts'
import { clock } from '../build/index.fixture.ts'
import { ingest } from '../build/ingest.ts'
import { openIndex } from '../open.ts'

export type OpenIndex = ReturnType<typeof openIndex>

/** Opens the index of a folder and closes it when the test ends. */
export function openFor(context: TestContext, folder: string, options?: Parameters<typeof openIndex>[1]): OpenIndex {
  const index = openIndex(folder, options)
  context.after(() => index.close())
  return index
}

/** The marks that a search finds, best first. */
export async function marksOf(index: OpenIndex, text: string): Promise<string[]> {
  const { hits } = await index.search({ text, life: 'all', offset: 0, limit: 10 })
  return hits.map(({ record }) => record.mark)
}

let imports = 0
/** Imports records with these marks; the same mark at the same place is the same record. */
export const put = (folder: string, ...marks: string[]) =>
  ingest(folder, [recordsSource(`import ${imports++}`, recordsOf(...marks))], { clock })

/** Searches, one question after the other, in a thread of its own. Opens what the question's manifest names. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openFts5Store } from '../fts5/store.ts'
import type { Manifest } from '../manifest.ts'
import { searchMarks } from '../matching/marks.ts'
import type { Store } from '../matching/store.ts'
import { openSegmentStore } from '../segments/store.ts'
import { searchExpiring, searchTexts } from '../matching/texts.ts'
import type { Answer, Asked } from './messages.ts'

const { folder } = workerData as { readonly folder: string }
let open: { readonly snapshot: string; readonly store: Store } | null = null

parentPort!.on('message', ({ manifest, asked }: { manifest: Manifest; asked: Asked }) => {
  let answer: Answer
  try {
    answer = { ok: true, page: pageOf(storeOf(manifest), asked) }
  } catch (error) {
    answer = { ok: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(answer)
})

function storeOf(manifest: Manifest): Store {
  if (open?.snapshot === manifest.snapshot) return open.store
  const path = join(folder, manifest.parts[0]!)
  if (statSync(path).size !== manifest.bytes)
    throw new Error(`${path} is damaged: it has not the size it was written with.`)
  const store = manifest.kind === 'segments' ? openSegmentStore(path) : openFts5Store(path)
  open?.store.close()
  open = { snapshot: manifest.snapshot, store }
  return store
}

function pageOf(store: Store, asked: Asked) {
  switch (asked.method) {
    case 'search':
      return searchMarks(store, asked.question)
    case 'byDescription':
      return searchTexts(store, 'goods', asked.question)
    case 'byOwner':
      return searchTexts(store, 'owner', asked.question)
    case 'expiring':
      return searchExpiring(store, asked.question)
  }
}

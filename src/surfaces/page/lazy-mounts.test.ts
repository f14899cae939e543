import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazyPageMounts, PAGE_ADDRESSES } from './lazy-mounts.ts'

test('pages are loaded by the first request to one of them, and once', async () => {
  const served: string[] = []
  let loads = 0
  const mounts = lazyPageMounts(async () => {
    loads++
    return PAGE_ADDRESSES.map((address) => ({ ...address, handle: () => void served.push(address.path) }))
  })
  assert.equal(loads, 0)
  for (const { handle } of mounts) await handle({} as never, {} as never, {} as never, {} as never)
  assert.deepEqual(
    served,
    PAGE_ADDRESSES.map(({ path }) => path),
  )
  assert.equal(loads, 1)
})

import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { failing, serve, upstreamFor } from '../../../kernel/upstream/loopback.fixture.ts'
import { dayOf, listFiles, type OfficeFile } from './listing.ts'
import { planFetch } from './plan.ts'

suite('the listing of files', () => {
  const listOf = async (t: TestContext, body: string) => {
    const port = await serve(t, (request, response) => void response.end(request.url?.includes('offset') ? '{}' : body))
    const needs = { upstream: upstreamFor(t), url: `http://127.0.0.1:${port}`, key: 'k' }
    return () => listFiles('daily', needs, new AbortController().signal)
  }
  const bag = (files: unknown[]) => JSON.stringify({ bulkDataProductBag: [{ productFileBag: { fileDataBag: files } }] })

  test('is rejected if it has another form or no files', async (t) => {
    for (const body of [
      '<html>',
      '[]',
      '{"bulkDataProductBag":[]}',
      bag([]),
      bag([{ fileName: '../../apc260101.zip' }]),
    ]) {
      const ask = await listOf(t, body)
      await assert.rejects(ask(), failing('unavailable'), body)
    }
  })

  test('never sends the key to another host, and tolerates missing fields', async (t) => {
    const entry = {
      fileName: 'apc260101.zip',
      fileSize: 'x',
      fileDownloadURI: 'https://elsewhere.example/apc260101.zip',
    }
    const port = await serve(t, (request, response) => {
      response.end(request.url?.includes('offset') ? bag([]) : bag([entry, 7, null]))
    })
    const url = `http://127.0.0.1:${port}`
    const files = await listFiles('daily', { upstream: upstreamFor(t), url, key: 'k' }, new AbortController().signal)
    assert.deepEqual(files, [
      {
        kind: 'daily',
        name: 'apc260101.zip',
        bytes: null,
        day: '2026-01-01',
        url: `${url}/files/TRTDXFAP/apc260101.zip`,
      },
    ])
  })
})

test('the day of a file comes from its name; other names are not files of the register', () => {
  assert.equal(dayOf('daily', 'apc260131.zip'), '2026-01-31')
  assert.equal(dayOf('annual', 'apc18840407-20251231-07.zip'), '2025-12-31')
  for (const name of ['apc260131.zip.part', '../apc260131.zip', 'apc261301.zip', 'apc18840407-20251231-07.zip', '']) {
    assert.equal(dayOf('daily', name), null, name)
  }
})

test('a plan has each day once, and none that was imported', () => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 28 })
  const nameOf = (day: number) => `apc2602${String(day).padStart(2, '0')}.zip`
  fc.assert(
    fc.property(days, days, days, (offered, imported, present) => {
      const files = offered.map((day): OfficeFile => ({
        kind: 'daily',
        name: nameOf(day),
        bytes: day,
        day: dayOf('daily', nameOf(day))!,
        url: '',
      }))
      const known = (list: number[]) => list.map((day) => ({ name: nameOf(day), bytes: day }))
      const plan = planFetch({ offered: files, imported: known(imported), here: known(present) })
      const first = Math.min(...imported)
      const wanted = offered.filter((day) => !imported.includes(day) && (imported.length === 0 || day >= first))
      assert.deepEqual(
        plan.files.map(({ name }) => name),
        wanted.map(nameOf),
      )
      assert.deepEqual(
        plan.files.map(({ isHere }) => isHere),
        wanted.map((day) => present.includes(day)),
      )
    }),
  )
})

test('a file that the Office has replaced is fetched again', () => {
  const file: OfficeFile = { kind: 'daily', name: 'apc260101.zip', bytes: 10, day: '2026-01-01', url: '' }
  const plan = (bytes: number) =>
    planFetch({ offered: [file], imported: [{ name: file.name, bytes }], here: [] }).files.length
  assert.deepEqual([plan(10), plan(9)], [0, 1])
})

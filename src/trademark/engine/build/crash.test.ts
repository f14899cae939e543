import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from '../../search-index.ts'
import { readManifest } from '../manifest.ts'
import { runStep, killed, type Step } from './crash.fixture.ts'
import { FAILPOINTS, type Failpoint } from './failpoints.ts'
import { answersIn, filesIn, FILES, manifestOf, MARKS } from './index.fixture.ts'

/** One step on an index of the first `from` files. */
type Way = { readonly step: Step; readonly from: number; readonly to: number; readonly inThread: boolean }
const WAYS: readonly Way[] = [
  { step: 'import', from: 0, to: 2, inThread: false },
  { step: 'import', from: 3, to: 4, inThread: true },
  { step: 'merge', from: 4, to: 4, inThread: true },
]
const MAX_CONCURRENT = 3

/** The suite starts some fifty processes. */
const TIMEOUT = { timeout: 600_000 }

describe('kill -9 at every failpoint of an import and of a merge', TIMEOUT, () => {
  const root = mkdtempSync(join(tmpdir(), 'onoma-faults-'))
  const inRoot = (name: string | number) => join(root, String(name))
  const reached = new Set<Failpoint>()
  /** Expected answers by number of files imported without a crash. */
  const answers: (Page[] | null)[] = [null]

  before(async () => {
    for (const [from, to] of [
      [0, 2],
      [2, 3],
      [3, 4],
    ] as const) {
      if (from > 0) cpSync(inRoot(from), inRoot(to), { recursive: true })
      await runStep({ folder: inRoot(to), step: 'import', files: to, inThread: false })
      answers[to] = answersIn(inRoot(to), MARKS)
    }
  })
  after(() => rmSync(root, { recursive: true }))

  function startOf({ from }: Way, name: string): string {
    if (from > 0) cpSync(inRoot(from), inRoot(name), { recursive: true })
    return inRoot(name)
  }

  /** The failpoints a step passes; the first and last time of each. */
  async function pointsOf(way: Way): Promise<{ point: Failpoint; time: number }[]> {
    const passed = new Map<Failpoint, number>()
    const folder = startOf(way, `${way.step} ${way.from}`)
    await runStep({ ...way, folder, files: way.to }, (point) => passed.set(point, (passed.get(point) ?? 0) + 1))
    return [...passed].flatMap(([point, times]) => [{ point, time: 1 }, ...(times > 1 ? [{ point, time: times }] : [])])
  }

  async function tryOne(way: Way, { point, time }: { point: Failpoint; time: number }): Promise<void> {
    const name = `${way.step} from ${way.from}, ${point} ${time}`
    const folder = startOf(way, name)
    const { step, from, to, inThread } = way
    assert.ok(
      await killed({ folder, step, files: to, inThread, point, time }, inRoot('compiled')),
      `${name}: it was not killed`,
    )
    reached.add(point)
    const found = readManifest(folder)
    const isNew = found?.snapshot === manifestOf(inRoot(to)).snapshot
    assert.ok(isNew || found?.snapshot === (from === 0 ? undefined : manifestOf(inRoot(from)).snapshot), name)
    assert.deepEqual(found && answersIn(folder, MARKS), answers[isNew ? to : from], name)
    // The next run completes the step and leaves no temporary files.
    await runStep({ folder, step, files: to, inThread })
    assert.deepEqual(answersIn(folder, MARKS), answers[to], name)
    assert.equal(manifestOf(folder).snapshot, manifestOf(inRoot(to)).snapshot, name)
    const drafts = filesIn(folder).filter((file) => /new$|draft/.test(file))
    assert.deepEqual(drafts, [], name)
    rmSync(folder, { recursive: true })
  }

  for (const way of WAYS)
    test(
      `${way.step} after ${way.from} of ${FILES.length} files: the index is the previous or the next one`,
      TIMEOUT,
      async () => {
        const points = await pointsOf(way)
        const work = async () => {
          for (let one = points.shift(); one; one = points.shift()) await tryOne(way, one)
        }
        await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
      },
    )

  test('every failpoint was reached', () =>
    assert.deepEqual(
      FAILPOINTS.filter((point) => !reached.has(point)),
      [],
    ))
})

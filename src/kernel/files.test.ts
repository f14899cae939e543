import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { writeFileAtomically } from './files.ts'

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-files-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('a file is replaced as a whole, and its folder is created', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'new', 'a.txt')
  await writeFileAtomically(path, 'a longer first text', { temporarySuffix: 'tmp' })
  await writeFileAtomically(path, Buffer.from('second'), { temporarySuffix: 'tmp' })
  assert.equal(await readFile(path, 'utf8'), 'second')
  assert.deepEqual(await readdir(join(folder, 'new')), ['a.txt'])
})

test('the temporary file is removed when the file cannot be replaced', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'a.txt', 'in-the-way'), { recursive: true })
  await assert.rejects(writeFileAtomically(join(folder, 'a.txt'), 'x', { temporarySuffix: 'tmp' }))
  assert.deepEqual(await readdir(folder), ['a.txt'])
})

import assert from 'node:assert/strict'
import { openSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { renameFile, syncPath, writeFileAtomically } from './files.ts'

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

test('a file that a virus scanner holds open for a moment is renamed after it, on Windows only', () => {
  const attempts: string[] = []
  const held = (times: number) => (from: string, to: string) => {
    attempts.push(`${from} ${to}`)
    if (attempts.length <= times) throw Object.assign(new Error('held'), { code: 'EPERM' })
  }
  const wait = () => {}
  renameFile('draft', 'file', { platform: 'win32', rename: held(3), wait })
  assert.equal(attempts.length, 4)
  attempts.length = 0
  assert.throws(() => renameFile('draft', 'file', { platform: 'linux', rename: held(1), wait }), { code: 'EPERM' })
  // A file that stays open is an error there, too.
  assert.throws(() => renameFile('draft', 'file', { platform: 'win32', rename: held(1000), wait }), { code: 'EPERM' })
  assert.ok(attempts.length < 100)
})

test('files and folders are flushed; on Windows a folder cannot be, and a file must be open for writing', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'a.txt')
  await writeFileAtomically(path, 'x', { temporarySuffix: 'tmp' })
  const modes: string[] = []
  for (const platform of ['linux', 'win32'] as const)
    for (const one of [folder, path]) syncPath(one, platform, (name, mode) => (modes.push(mode), openSync(name, mode)))
  assert.deepEqual(modes, ['r', 'r', 'r+'])
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../build/index.fixture.ts'

test('installed under node_modules, where Node does not strip types, threads still import and search', async (context) => {
  const root = temporaryFolder(context)
  const repository = join(import.meta.dirname, '../../../..')
  const home = join(root, 'node_modules', 'onoma')
  for (const part of ['bin', 'src', 'data', 'package.json'])
    cpSync(join(repository, part), join(home, part), {
      recursive: true,
      filter: (from) => !/\.(?:test|fixture)\.ts$/.test(from) || from.endsWith('records.fixture.ts'),
    })
  symlinkSync(join(repository, 'node_modules'), join(home, 'node_modules'))
  const ours = (path: string) => JSON.stringify(join(home, 'src', path))
  const program = `
    await import(${JSON.stringify(join(home, 'bin/typescript.js'))})
    const { systemClock: clock } = await import(${ours('kernel/clock.ts')})
    const { ingest } = await import(${ours('trademark/engine/build/ingest.ts')})
    const { recordsSource } = await import(${ours('trademark/engine/build/file-source.ts')})
    const { recordsOf } = await import(${ours('trademark/sources/records.fixture.ts')})
    const { openIndex } = await import(${ours('trademark/engine/open.ts')})
    await ingest('index', [recordsSource('one', recordsOf('NOVA'))], { clock, maxInlineRecords: 0 })
    const index = openIndex('index')
    const { hits } = await index.search({ text: 'nova', life: 'all', offset: 0, limit: 1 })
    await index.close()
    console.log(hits[0].record.mark)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await once(child, 'close')
  assert.equal(output, 'NOVA\n')
})

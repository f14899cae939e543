import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import about from '../package.json' with { type: 'json' }
import { packAll } from '../scripts/pack.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const MAX_BYTES = 60 * 1024 * 1024

suite('the packages, installed in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-package-'))
  const program = join(folder, 'node_modules/@onoma-names/server/bin/onoma.js')
  let service: ServiceProcess | undefined
  before(async () => {
    const { server, sdk } = await packAll(join(folder, 'packed'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    // Node itself is the one that runs the tests.
    const install = ['install', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund', server, sdk]
    execFileSync('npm', install, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
  })
  after(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('take at most 60 MB beside Node', () => {
    const files = globSync('node_modules/**/*', { cwd: folder }).map((path) => lstatSync(join(folder, path)))
    const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
    assert.ok(bytes > 1024 * 1024 && bytes <= MAX_BYTES, `${bytes} bytes`)
  })

  test('show the version, look up what is bundled, and read international names', () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [program, ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      })
    assert.equal(run('version'), `onoma ${about.version}\n`)
    assert.match(run('register', 'xn--mnchen-3ya.de', '--json'), /"domain":"xn--mnchen-3ya\.de"/)
  })

  test('serve a page, the reference and its guides, and answer the SDK', async () => {
    const env = {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '127.0.0.1:0',
      ONOMA_DATA_DIR: folder,
      ONOMA_DRAIN_SECONDS: '0',
    }
    service = await startServiceProcess({ program, cwd: folder, env })
    for (const path of ['/', '/docs', '/docs/guides/payments', '/openapi.json', '/status'])
      assert.equal((await fetch(service.url + path)).status, 200, path)
    const code = `import { createOnoma, unwrap } from '@onoma-names/sdk'
const onoma = createOnoma({ baseUrl: '${service.url}' })
console.log(unwrap(await onoma.listTlds({ category: 'web' })).total)`
    writeFileSync(join(folder, 'try.js'), code)
    assert.equal(execFileSync(process.execPath, ['try.js'], { cwd: folder, encoding: 'utf8' }).trim(), '11')
  })
})

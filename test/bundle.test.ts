import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
// @ts-expect-error It is plain JavaScript, because old versions of Node run it.
import { bundle } from '../scripts/build.js'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { registerXml } from './support/trademark-xml.ts'

const ROOT = join(import.meta.dirname, '..')
const MARK =
  '<case-file><serial-number>70000100</serial-number><case-file-header><status-code>700</status-code>' +
  '<mark-identification>SUPERNOVA</mark-identification></case-file-header></case-file>'

suite('the bundle', () => {
  // Below the project, where packages that are not in the bundle are found.
  mkdirSync(join(ROOT, 'var'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'var', 'bundle-'))
  const cwd = mkdtempSync(join(tmpdir(), 'onoma-bundle-'))
  const program = join(folder, 'main.js')
  const index = join(cwd, 'index')
  let service: ServiceProcess
  before(async () => {
    await bundle(folder)
    writeFileSync(program, "import { main } from './cli.js'\nawait main()\n")
    const register = join(cwd, 'register.xml')
    writeFileSync(register, registerXml([MARK]))
    const { status, stderr } = spawnSync(process.execPath, [program, 'trademark', 'import', register], {
      cwd,
      env: { PATH: process.env['PATH'], ONOMA_TRADEMARK_INDEX: index },
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    service = await startServiceProcess({
      program,
      cwd,
      env: {
        PORT: '0',
        ENS_PORT: '0',
        ONOMA_METRICS: '127.0.0.1:0',
        ONOMA_DATA_DIR: cwd,
        ONOMA_TRADEMARK_INDEX: index,
        ONOMA_DRAIN_SECONDS: '0',
      },
    })
  })
  after(async () => {
    await service?.stop()
    for (const path of [folder, cwd]) rmSync(path, { recursive: true })
  })

  const textOf = async (path: string, options?: RequestInit): Promise<string> => {
    const answer = await fetch(`${service.url}${path}`, options)
    assert.equal(answer.status, 200, path)
    return answer.text()
  }

  test('serves data of files, documents, and what is loaded at its first use', async () => {
    assert.match(await textOf('/v1/register?domain=example.com'), /"registrars":/)
    assert.match(await textOf('/openapi.json'), /"openapi":"3\.1/)
    assert.match(await textOf('/'), /<html/)
    assert.match(await textOf('/docs/checkDomains'), /\/v1\/check\?name=example/)
    assert.match(await textOf('/docs/guides/payments'), /<h1[^>]*>Payments/)
    const list = await textOf('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    assert.match(list, /"tools":/)
    assert.match(await (await fetch(service.metricsUrl!)).text(), /^nodejs_version_info/m)
  })

  test('runs its threads', async () => assert.match(await textOf('/v1/trademark/search?q=supernova'), /"SUPERNOVA"/))

  for (const protocol of ['x402', 'mpp']) {
    test(`takes payments by ${protocol}`, () => {
      const pay = [join(ROOT, 'scripts/pay.ts'), `${service.url}/v1/valuation/example.com`, `--${protocol}`]
      const { status, stdout, stderr } = spawnSync(process.execPath, pay, {
        cwd,
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      assert.match(stdout, /"mid":/)
    })
  }
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { createLog, stdoutDestination } from '../../src/kernel/log.ts'

const ROOT = join(import.meta.dirname, '../..')

suite('the README of the SDK', () => {
  // Below the project, where the packages of the examples are found.
  mkdirSync(join(ROOT, 'var'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'var', 'sdk-'))
  let world: World
  let service: Service
  before(async () => {
    world = await startWorld(SIMULATORS)
    const { config } = await sandboxConfig(parseSandboxEnv({ PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off' }), world)
    service = await startService(config, {
      log: createLog('error', stdoutDestination(process.stderr.fd)),
      timeoutScale: 10,
    })
  })
  after(async () => {
    await service?.stop({ lingerMs: 0, graceMs: 0 })
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has examples that all run, one after the other, and print what they should', async () => {
    const blocks = [...readFileSync(join(ROOT, 'sdk/README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)]
    const program = blocks
      .map(([, code]) => code)
      .join('\n')
      .replaceAll('@onoma-names/sdk', pathToFileURL(join(ROOT, 'sdk/index.js')).href)
      .replaceAll('http://127.0.0.1:8080', service.url)
    const file = join(folder, 'readme.mjs')
    writeFileSync(file, program)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { PATH: process.env['PATH'] } })
    const lines = stdout.trimEnd().split('\n')
    assert.match(lines[0]!, /checked: 2/)
    assert.ok(lines.includes('free-shop.com available') && lines.includes('taken-shop.com registered'), stdout)
    assert.match(lines.at(-2)!, /^\d+ 0\.02$/)
    assert.match(lines.at(-1)!, /^\d+$/)
  })
})

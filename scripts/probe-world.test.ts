import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { parseSandboxEnv, sandboxConfig } from '../sandbox/settings.ts'
import { SIMULATORS } from '../sandbox/simulators.ts'
import { startWorld } from '../sandbox/world.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { probeWorld } from './probe-world.ts'
import { changeShapes } from './probe/changed-shapes.fixture.ts'
import { runProbes } from './probe/probe.ts'
import { openWorldProbes, sandboxPlaces } from './probe/world.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const wait = async () => {}

suite('probe:world', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-probe-test-'))
  after(() => rmSync(folder, { recursive: true }))
  const run = async (...args: string[]) => {
    const printed: string[] = []
    const report = join(folder, 'report.md')
    const code = await probeWorld([...args, '--report', report], { print: (text) => printed.push(text), wait })
    return { code, text: printed.join('\n'), report }
  }

  test('understands every provider of the sandbox, and writes a report', async () => {
    const { code, text, report } = await run('--sandbox', '--registries', '2')
    assert.equal(code, 0, text)
    assert.match(text, /(\d+) providers: \1 ok, 0 changed/)
    assert.match(readFileSync(report, 'utf8'), /^\| RDAP \| \.\w+ \| 127\.0\.0\.1:\d+ \| ok \|/m)
  })

  test('asks only the providers that --only names', async () => {
    const { code, text } = await run('--sandbox', '--only', 'ethereum')
    assert.equal(code, 0, text)
    assert.match(text, /2 providers: 2 ok/)
    assert.doesNotMatch(text, /RDAP/)
  })

  test('explains itself, and refuses what it does not understand', async () => {
    assert.deepEqual([(await run('--help')).code, (await run('--registries', 'all')).code], [0, 2])
    const nothing = await run('--sandbox', '--only', 'no such provider')
    assert.equal(nothing.code, 2)
    assert.match(nothing.text, /No provider has "no such provider"/)
  })

  test('reports every provider whose answer has another shape, and shows the answer', async (t) => {
    const world = await startWorld(SIMULATORS)
    t.after(() => world.stop())
    const changedWorld = await changeShapes(world)
    t.after(() => changedWorld.stop())
    const { config } = await sandboxConfig(parseSandboxEnv({}), { ...world, settings: changedWorld.settings })
    const own = sandboxPlaces(world)
    const ianaFiles = await changedWorld.changed(own.ianaFiles)
    const openGateway = await changedWorld.changed(own.openGateway!)
    const places = { ...own, ianaFiles, openGateway }
    const needs = { config, places, clock: systemClock, random: secureRandom, log, registries: 2 }
    const probes = await openWorldProbes(needs)
    t.after(() => probes.close())

    const findings = await runProbes(probes.probes, { clock: systemClock, wait })

    // A message of the DNS has no names of fields that could change.
    const others = findings.filter(({ group }) => group !== 'DNS')
    assert.deepEqual(
      others.filter(({ status }) => status === 'ok'),
      [],
    )
    // What replaces the servers of WHOIS speaks neither HTTP nor UDP, as these three services do.
    const silent = others.filter(({ status }) => status !== 'changed').map(({ provider }) => provider)
    assert.deepEqual(silent, ['.se', '.de', '.br'])
    const changed = others.filter(({ status }) => status === 'changed')
    assert.ok(changed.every(({ exchanges }) => exchanges.some(({ answer }) => answer !== '')))
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { after, before, describe, test, type TestContext } from 'node:test'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { catalogue, free, startAvailability } from './availability.fixture.ts'

type Result = { domain: string; status: string[]; error?: string }
type Registry = { server: string; source: string; asked: number; breaker: string }

const DEAD = 'io'
const silent = { says: 'unclear', failure: 'timeout' } as const
const silentSources = { dns: { says: 'not_delegated' }, rdap: silent, whois: silent } as const

describe('one registry that is dead', () => {
  let names: Names
  let folder: string
  /** Accepts connections and never answers, in the place of the registry's WHOIS. */
  let silent: Server
  let connections = 0
  const sockets = new Set<Socket>()
  let env: Record<string, string>
  /** The registry of the dead TLD, and TLDs of other registries. */
  let registry: string
  let others: string[]
  const services: Service[] = []

  before(async () => {
    names = await startNames({ seed: 7 })
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-dead-'))
    silent = createServer((socket) => {
      connections++
      sockets.add(socket.on('error', () => {}))
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const entries = Object.entries(names.registries)
    registry = entries.find(([, { tlds }]) => tlds.includes(DEAD))![0]
    others = entries
      .flatMap(([id, { tlds, rdap }]) => (id === registry || rdap === null ? [] : tlds.slice(0, 6)))
      .slice(0, 19)
    const file = join(folder, 'whois.json')
    const whois = JSON.parse(readFileSync(names.settings['ONOMA_WHOIS_SERVERS']!, 'utf8')) as Record<string, string>
    writeFileSync(file, JSON.stringify({ ...whois, [DEAD]: `127.0.0.1:${(silent.address() as AddressInfo).port}` }))
    env = {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ...names.settings,
      ONOMA_WHOIS_SERVERS: file,
    }
    names.set({ registries: { [registry]: { rdapDown: 'hang' } } })
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all(services.map((service) => service.stop({ lingerMs: 0, graceMs: 0 })))
    silent.close()
    await names.stop()
    rmSync(folder, { recursive: true })
  })
  const start = async (timeoutScale: number): Promise<string> => {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const service = await startService(loadConfig(env), { log, timeoutScale })
    services.push(service)
    return service.url
  }

  test('does not delay the names of the others: 19 of 20 arrive while it is still being asked', async () => {
    // Its own timeouts never expire here, so whatever arrives did not wait for it.
    const url = await start(100)
    const domains = [`free-shop.${DEAD}`, ...others.map((tld) => `free-shop.${tld}`)]
    const response = await fetch(`${url}/v1/check?domain=${domains.join()}`, {
      headers: { accept: 'application/x-ndjson' },
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (text.split('\n').length <= others.length) {
      const { value, done } = await reader.read()
      assert.ok(!done)
      text += value
    }
    reader.cancel().catch(() => {})
    const arrived = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result)
    assert.equal(arrived.length, 19)
    assert.deepEqual(
      arrived.filter(({ domain, status }) => domain.endsWith(`.${DEAD}`) || status[0] !== 'available'),
      [],
    )
  })

  test('leaves the list its deadline: it ends by itself, with the name of the dead registry as unknown', async () => {
    const url = await start(0.05)
    const domains = [`free-shop.${DEAD}`, ...others.map((tld) => `free-shop.${tld}`)]
    const response = await fetch(`${url}/v1/check?domain=${domains.join()}`, {
      headers: { accept: 'application/x-ndjson' },
    })
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<Result> & { summary?: { checked: number } })
    assert.equal(lines.length, 21)
    const dead = lines.find(({ domain }) => domain === `free-shop.${DEAD}`)!
    assert.deepEqual([dead.status?.[0], dead.error, lines.at(-1)!.summary?.checked], ['unknown', 'timeout', 20])
  })

  test('costs one caller the timeout: later ones get `unknown` without it being asked again, except by one probe', async () => {
    const url = await start(0.05)
    const check = async (label: string) => {
      const response = await fetch(`${url}/v1/check?domain=${label}.${DEAD}`)
      return (await response.json()) as Result
    }
    assert.equal((await check('free-first')).status[0], 'unknown')
    const before = { rdap: names.counters().rdap[registry]!.requests, whois: connections }
    for (let at = 0; at < 10; at++) {
      const { status, error } = await check(`free-later${at}`)
      assert.deepEqual([status[0], error], ['unknown', 'timeout'])
    }
    const asked = { rdap: names.counters().rdap[registry]!.requests, whois: connections }
    // Probes are sent one after the other with growing pauses.
    assert.ok(asked.rdap - before.rdap <= 3, `RDAP was asked ${asked.rdap - before.rdap} times`)
    assert.ok(asked.whois - before.whois <= 3, `WHOIS was asked ${asked.whois - before.whois} times`)
    const { registries } = (await (await fetch(`${url}/v1/tlds/health`)).json()) as { registries: Registry[] }
    assert.deepEqual(
      registries
        .filter(({ breaker }) => breaker === 'down')
        .map(({ source }) => source)
        .toSorted(),
      ['rdap', 'whois'],
    )
    const whois = await fetch(`${url}/v1/whois?domain=taken-shop.${DEAD}`)
    assert.equal(whois.status, 504)
  })
})

describe('a list of 20 names with one registry whose servers use all the time they get', () => {
  const domains = [
    'shop.io',
    ...catalogue.tlds
      .filter(({ tld, lookup }) => tld !== 'io' && lookup === 'rdap')
      .slice(0, 19)
      .map(({ tld }) => `shop.${tld}`),
  ]

  /** Sources of `.io` answer nothing until their own deadline, which the clock of the test then jumps to. */
  async function startWithSilentSources(t: TestContext) {
    const othersArrived = Promise.withResolvers<void>()
    const script = Object.fromEntries(domains.map((domain) => [domain, domain === 'shop.io' ? silentSources : free]))
    const service = await startAvailability(t, script, {
      hasWhois: true,
      wait: async (source, { tld }, { deadline, alternative }) => {
        if (tld !== 'io' || source === 'dns') return
        alternative?.onSlow()
        await othersArrived.promise
        service.clock.advance(Math.max(0, (alternative?.deadline ?? deadline) - service.clock.monotonic()))
      },
    })
    return { ...service, othersArrived }
  }

  test('19 arrive before any of its time has passed, and the whole ends at the 10 seconds of a check', async (t) => {
    const { url, clock, asked, othersArrived } = await startWithSilentSources(t)
    const response = await fetch(`${url}/v1/check?domain=${domains.join()}`, {
      headers: { accept: 'application/x-ndjson' },
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })) {
      lines.push(line)
      if (lines.length < 19) continue
      if (lines.length === 19) assert.equal(clock.monotonic(), 0)
      othersArrived.resolve()
    }
    assert.equal(lines.length, 21)
    assert.equal((JSON.parse(lines[19]!) as Result).domain, 'shop.io')
    assert.ok(asked.includes('rdap shop.io') && asked.includes('whois shop.io'), asked.join())
    assert.ok(clock.monotonic() <= 10_000, `${clock.monotonic()} ms`)
  })
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { connect as connectH2 } from 'node:http2'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { manualClock } from '../../src/kernel/clock.ts'
import { open } from '../../test/support/wire.ts'
import { startWorld } from '../world.ts'
import { names as simulator } from './names.ts'
import { startNames } from './start.ts'
import { type Bootstrap, parseJsonFile, readAll, until } from './registry.fixture.ts'
import { truthOf } from './truth.ts'

const TIMEOUT_MS = 30_000

test('the same seed gives the same answers, and another seed other answers', async () => {
  const worlds = await Promise.all([3, 3, 4].map((seed) => startNames({ seed, clock: manualClock() })))
  const told = worlds.map(async ({ registries }) => {
    const answers = ['a-shop', 'b-shop', 'c-shop', 'taken-shop'].map(async (label) => {
      const response = await fetch(`${registries['org']!.rdap}/org/domain/${label}.org`)
      // A link contains the address of the server, which differs.
      return (await response.text()).replace(/127\.0\.0\.1:\d+/g, '')
    })
    return (await Promise.all(answers)).join('\n')
  })
  const [one, same, other] = await Promise.all(told)
  assert.equal(same, one)
  assert.notEqual(other, one)
  await Promise.all(worlds.map((world) => world.stop()))
})

test('a registry with an untrusted certificate is rejected by clients that trust the others', async () => {
  const names = await startNames({ tls: true, registries: { com: { rdapDown: 'untrusted' } } })
  const agent = new Agent({ connect: { ca: readFileSync(names.caFile!, 'utf8') } })
  const ask = (tld: string) =>
    request(`${names.registries[tld]!.rdap}/${tld}/domain/taken-shop.${tld}`, { dispatcher: agent })
  try {
    await assert.rejects(ask('com'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    const { statusCode, body } = await ask('org')
    assert.equal(statusCode, 200)
    await body.dump()
  } finally {
    await agent.destroy()
    await names.stop()
  }
})

test('RDAP over https works for clients that trust the certificate, over HTTP/1.1 and HTTP/2', async () => {
  const names = await startNames({ tls: true })
  const ca = readFileSync(names.caFile!, 'utf8')
  const base = names.registries['com']!.rdap!
  assert.match(base, /^https:/)
  const agent = new Agent({ connect: { ca } })
  const session = connectH2(base, { ca })
  session.on('error', () => {})
  try {
    const { statusCode, body } = await request(`${base}/com/domain/taken-shop.com`, { dispatcher: agent })
    assert.equal(statusCode, 200)
    await body.dump()
    await assert.rejects(fetch(`${base}/com/domain/taken-shop.com`), /fetch failed/)

    const ask = (name: string) => {
      const stream = session.request({ ':path': `/com/domain/${name}` }).setEncoding('utf8')
      const { promise, resolve, reject } = Promise.withResolvers<{ status: unknown; text: string }>()
      let status: unknown
      let text = ''
      stream.on('response', (headers) => (status = headers[':status']))
      stream.on('data', (chunk: string) => (text += chunk)).on('error', reject)
      stream.on('close', () => (status ? resolve({ status, text }) : reject(new Error('closed'))))
      return promise
    }
    const many = await Promise.all(['taken-a.com', 'taken-b.com', 'free-a.com', 'throttled-a.com'].map(ask))
    assert.deepEqual(
      many.map(({ status }) => status),
      [200, 200, 404, 429],
    )
    assert.match(many[0]!.text, /"ldhName":"TAKEN-A.COM"/)
    assert.equal(session.alpnProtocol, 'h2')
    await assert.rejects(ask('reset-a.com'))
  } finally {
    session.destroy()
    await agent.destroy()
    await names.stop()
  }
})

test(
  'stop ends pending answers, closes the ports and deletes the files',
  { timeout: TIMEOUT_MS },
  async ({ signal }) => {
    const names = await startNames({ latencyMs: 600_000, dns: { latencyMs: 600_000 } })
    const file = names.settings['ONOMA_TLD_SERVERS']!
    assert.ok(existsSync(file))
    const port = Number(new URL(names.registries['com']!.rdap!).port)
    const waiting = [await open(port), await open(Number(names.registries['com']!.whois.split(':')[1]))]
    const ends = waiting.map(readAll)
    waiting[0]!.write('GET /com/domain/shop.com HTTP/1.1\r\nHost: x\r\n\r\n')
    waiting[1]!.write('shop.com\r\n')
    await until(() => names.counters().registryRequests === 2, signal)
    await names.stop()
    await names.stop()
    assert.deepEqual(await Promise.all(ends), ['', ''])
    assert.equal(existsSync(file), false)
    await assert.rejects(open(port), { code: 'ECONNREFUSED' })
  },
)

test('in the sandbox its files are in the folder of the world, and it uses the seed of the world', async () => {
  const world = await startWorld([simulator], { seed: 9, wait: async () => {} })
  try {
    const files = ['ONOMA_TLD_SERVERS', 'ONOMA_RDAP_BOOTSTRAP', 'ONOMA_WHOIS_SERVERS'].map(
      (name) => world.settings[name]!,
    )
    assert.ok(files.every((file) => file.startsWith(world.folder) && existsSync(file)))
    assert.match(world.settings['ONOMA_DNS_SERVERS']!, /^127\.0\.0\.1:\d+$/)
    const { services } = parseJsonFile(world.settings['ONOMA_RDAP_BOOTSTRAP']) as Bootstrap
    const org = services.find(([tlds]) => tlds.includes('org'))![1][0]!
    const labels = ['a-shop', 'b-shop', 'c-shop', 'd-shop', 'e-shop', 'f-shop']
    const statuses = labels.map(async (label) => (await fetch(`${org}domain/${label}.org`)).status)
    assert.deepEqual(
      await Promise.all(statuses),
      labels.map((label) => (truthOf(`${label}.org`, 9).state === 'registered' ? 200 : 404)),
    )
  } finally {
    await world.stop()
  }
})

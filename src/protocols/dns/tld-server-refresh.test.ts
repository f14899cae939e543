import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { createTldServerRefresh } from './tld-server-refresh.ts'
import { bundledServers, formatNameserverFile, type NameserverFile } from './tld-servers.ts'

const bundled = bundledServers()
const TLDS = ['com', 'dev', 'br']
const DAY_MS = 86_400_000

/** A root zone: the bundled addresses of two TLDs, and one TLD that the bundled file does not have. */
const zone = (serial: string, changes: Record<string, string[]> = {}) => {
  const servers = { com: bundled.servers['com']!, dev: bundled.servers['dev']!, br: ['200.160.0.10'], ...changes }
  return [
    `.\t86400\tIN\tSOA\ta.root-servers.net. nstld.verisign-grs.com. ${serial} 1800 900 604800 86400`,
    ...Object.entries(servers).flatMap(([tld, addresses]) => [
      `${tld}.\t172800\tIN\tNS\ta.nic.${tld}.`,
      ...addresses.map((one) => `a.nic.${tld}.\t172800\tIN\t${one.includes(':') ? 'AAAA' : 'A'}\t${one}`),
    ]),
    '',
  ].join('\n')
}

function world(stored?: string) {
  const clock = manualClock(Date.parse('2026-11-16T12:00:00Z'))
  const state = { zone: zone('2026111500'), stored, used: [] as NameserverFile[], warnings: 0, waits: [] as number[] }
  const create = () =>
    createTldServerRefresh({
      tlds: TLDS,
      load: async () => state.zone,
      store: {
        read: async () => state.stored,
        async write(content) {
          state.stored = content
        },
      },
      onServers: (file) => void state.used.push(file),
      clock,
      random: seededRandom(1),
      log: { debug() {}, info() {}, warn: () => void state.warnings++, error() {} },
      wait(ms, signal) {
        state.waits.push(ms)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
      minTlds: 3,
    })
  return { state, create, servers: create(), signal: new AbortController().signal }
}

test('a newer root zone replaces the servers, and survives a restart', async () => {
  const { servers, state, create, signal } = world()
  state.zone = zone('2026111500', { dev: [...bundled.servers['dev']!.slice(1), '199.7.91.1'] })
  assert.equal(await servers.refresh(signal), 'replaced')
  assert.deepEqual(state.used[0]?.servers['br'], ['200.160.0.10'])
  assert.ok(state.used[0]?.servers['dev']?.includes('199.7.91.1'))
  assert.equal(await servers.refresh(signal), 'same')
  const next = create()
  await next.start()
  next.close()
  assert.deepEqual(state.used.at(-1), state.used[0])
  assert.ok(state.waits[0]! > 4 * DAY_MS && state.waits[0]! < 7 * DAY_MS, 'not before the copy is a week old')
})

test('without a copy it is downloaded some minutes after the start', async () => {
  const { servers, state } = world()
  await servers.start()
  servers.close()
  assert.ok(state.waits[0]! >= 60_000 && state.waits[0]! <= 300_000)
})

test('a root zone that cannot be right is rejected', async () => {
  const wrong = {
    'a web page': '<html>',
    'an empty file': '',
    'an older zone': zone('2020010100'),
    'one from the future': zone('2030010100'),
    'a private address': zone('2026111500', { br: ['10.0.0.1'] }),
    'an invalid address': zone('2026111500', { br: ['1.2.3'] }),
    'half a file': zone('2026111500').slice(0, 200),
    'all servers replaced': zone('2026111500', { com: ['199.7.91.1'], dev: ['199.7.91.2'] }),
  }
  for (const [what, text] of Object.entries(wrong)) {
    const { servers, state, signal } = world()
    state.zone = text
    assert.equal(await servers.refresh(signal), 'rejected', what)
    assert.deepEqual([state.used.length, state.stored, state.warnings], [0, undefined, 1], what)
  }
})

test('a damaged copy on disk is not used, nor one that is older than the bundled file', async () => {
  for (const [stored, warnings] of [
    ['{', 1],
    ['{"rootZone":"2026111500"}', 1],
    [formatNameserverFile({ ...bundled, rootZone: '2020010100' }), 0],
  ] as const) {
    const { servers, state } = world(stored)
    await servers.start()
    servers.close()
    assert.deepEqual([state.used.length, state.warnings], [0, warnings], stored.slice(0, 30))
  }
})

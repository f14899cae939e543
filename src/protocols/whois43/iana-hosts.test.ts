import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { createWhoisHosts, GAP_MS, MIN_RETRY_MS, parseIanaAnswer, TTL_MS } from './iana-hosts.ts'

const answer = (tld: string, host: string | null) =>
  [
    '% IANA WHOIS server',
    '',
    ...(host === null ? [] : [`refer:        ${host}`, '']),
    `domain:       ${tld.toUpperCase()}`,
    'organisation: Example Registry',
    'nserver:      A.NIC.EXAMPLE 192.0.2.1',
    ...(host === null ? [] : [`whois:        ${host}`]),
    'status:       ACTIVE',
    'source:       IANA',
  ].join('\r\n')

function world({ hosts = {}, stored }: { hosts?: Record<string, string | null | Error>; stored?: string } = {}) {
  const clock = manualClock()
  const asked: string[] = []
  const waits: number[] = []
  const warnings: string[] = []
  const file = { content: stored }
  const create = () =>
    createWhoisHosts({
      async ask(tld) {
        asked.push(tld)
        const host = hosts[tld] ?? null
        if (host instanceof Error) throw host
        return answer(tld, host)
      },
      isReachable: async (host) => !host.startsWith('private'),
      bundledHostOf: (tld) => `whois.old.${tld}`,
      store: {
        read: async () => file.content,
        async write(content) {
          file.content = content
        },
      },
      clock,
      log: { debug() {}, info() {}, warn: (_, message) => void warnings.push(message), error() {} },
      async wait(ms) {
        waits.push(ms)
        clock.advance(ms)
      },
    })
  return { clock, asked, waits, warnings, file, hosts, create, known: create() }
}

test('a host that fails is looked up at IANA at once, and not again within the hour', async () => {
  const { known, asked, clock, hosts } = world({ hosts: { cn: 'whois.cnnic.cn' } })
  assert.equal(known.hostOf('cn'), undefined)
  assert.equal(await known.refresh('cn', 'whois.old.cn'), 'whois.cnnic.cn')
  assert.equal(known.hostOf('cn'), 'whois.cnnic.cn')
  assert.equal(await known.refresh('cn', 'whois.cnnic.cn'), undefined)
  assert.deepEqual(asked, ['cn'])
  clock.advance(MIN_RETRY_MS)
  hosts['cn'] = 'whois.next.cn'
  assert.equal(await known.refresh('cn', 'whois.cnnic.cn'), 'whois.next.cn')
})

test('a host in use is looked up once a week, in the background', async () => {
  const { known, asked, clock } = world({ hosts: { ru: 'whois.tcinet.ru' } })
  const settled = () => known.refresh('ru', 'whois.old.ru')
  known.used('ru')
  assert.deepEqual(asked, [], 'a single command does not ask')
  await known.start()
  known.used('ru')
  known.used('ru')
  await settled()
  clock.advance(TTL_MS - 1)
  known.used('ru')
  assert.deepEqual(asked, ['ru'])
  clock.advance(1)
  known.used('ru')
  await settled()
  assert.deepEqual(asked, ['ru', 'ru'])
})

test('IANA gets one query at a time, with a pause between them; a host that failed comes first', async () => {
  const { known, asked, waits } = world({ hosts: { aa: 'whois.nic.aa' } })
  await known.start()
  for (const tld of ['aa', 'bb', 'cc']) known.used(tld)
  await known.refresh('zz', 'whois.old.zz')
  await known.refresh('cc', 'whois.old.cc')
  assert.deepEqual(asked, ['aa', 'zz', 'bb', 'cc'])
  assert.deepEqual(waits, [GAP_MS, GAP_MS, GAP_MS])
})

test('what was learnt survives a restart; a damaged or forged file does no harm', async () => {
  const { known, file, create, asked } = world({ hosts: { hk: 'whois.hkirc.hk' } })
  await known.refresh('hk', 'whois.old.hk')
  const next = create()
  await next.start()
  assert.equal(next.hostOf('hk'), 'whois.hkirc.hk')
  next.used('hk')
  assert.equal(asked.length, 1)
  const now = Date.now()
  for (const content of [
    '{',
    'null',
    '[]',
    '{"hk":null}',
    '{"hk":{"host":"127.0.0.1","askedAt":0}}',
    '{"hk":{"host":"localhost","askedAt":0}}',
    `{"hk":{"host":"whois.hkirc.hk","askedAt":${now * 10}}}`,
  ]) {
    file.content = content
    const damaged = create()
    await damaged.start()
    assert.equal(damaged.hostOf('hk'), undefined, content)
  }
})

test('an answer without a host, nonsense, or a host with a private address changes nothing', async () => {
  const { known, warnings } = world({
    hosts: { aa: null, bb: '10.0.0.1', cc: 'localhost', dd: 'private.example.net', ee: new Error('timeout') },
  })
  for (const tld of ['aa', 'bb', 'cc', 'dd', 'ee']) {
    assert.equal(await known.refresh(tld, `whois.old.${tld}`), undefined, tld)
    assert.equal(known.hostOf(tld), undefined, tld)
  }
  assert.equal(warnings.length, 2)
})

test('only a host name in an answer about the TLD is read', () => {
  assert.equal(parseIanaAnswer(answer('cn', 'WHOIS.CNNIC.CN.'), 'cn'), 'whois.cnnic.cn')
  assert.equal(parseIanaAnswer('refer: whois.nic.aa\ndomain: AA\n', 'aa'), 'whois.nic.aa')
  for (const host of [
    '[::1]',
    '192.168.0.1',
    'whois',
    'a b.com',
    'host.local',
    'x.home.arpa',
    '-x.com',
    'whois.nic.aa:99',
  ])
    assert.equal(parseIanaAnswer(`domain: AA\nwhois: ${host}\n`, 'aa'), undefined, host)
  for (const text of ['', '<html>', answer('bb', 'whois.nic.bb'), 'whois: whois.nic.aa\n'])
    assert.throws(() => parseIanaAnswer(text, 'aa'), /not about \.aa/)
})

test('a closed service asks nobody', async () => {
  const { known, asked } = world()
  await known.start()
  known.close()
  known.used('cn')
  assert.equal(await known.refresh('cn', 'x'), undefined)
  assert.deepEqual(asked, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { seededRandom } from '../../kernel/random.ts'
import { ProxyError } from '../../kernel/upstream/proxy.ts'
import type { DnsClient, DnsReply } from '../../protocols/dns/client.ts'
import { emptyReply } from '../../protocols/dns/query-queue.ts'
import { parseServerAddress } from '../../protocols/dns/server-address.ts'
import { ProbeError } from './parts.ts'
import { createProbes } from './probes.ts'

const SERVER = parseServerAddress('192.0.2.53')

type Options = {
  readonly outcome?: DnsReply['outcome']
  readonly probeHttps?: () => Promise<{ host: string; proxy: string | undefined }>
}

function probesFor({ outcome = 'answer', probeHttps = () => Promise.reject(new Error('not asked')) }: Options) {
  const clock = manualClock()
  const query: DnsClient['query'] = async () => ({ ...emptyReply('timeout', 0), outcome, server: SERVER })
  const dns = { query, close() {}, stats: () => assert.fail() }
  const registries = { dns, recursors: [SERVER], serversOf: () => [SERVER], probeHttps, httpsProblem: () => undefined }
  const ens = { health: () => assert.fail() }
  return { clock, ...createProbes({ registries, ens, clock, random: seededRandom(1), sandbox: false }) }
}

const never = new AbortController().signal

test('name servers are not reached if somebody else answers in their place', async () => {
  await probesFor({}).nameServers(never)
  await assert.rejects(probesFor({ outcome: 'lame' }).nameServers(never), /Another server answers/)
})

test('a resolver with one answer for all names is a liar, whatever the answer', async () => {
  for (const outcome of ['answer', 'nxdomain'] as const)
    await assert.rejects(probesFor({ outcome }).resolvers(never), /lie about names/)
})

const FAILURES: [string, UpstreamError, RegExp, RegExp][] = [
  [
    'a captive portal, or a proxy that inspects TLS',
    new UpstreamError('unavailable', 'x', { untrusted: true }),
    /certificate is not valid/,
    /NODE_EXTRA_CA_CERTS/,
  ],
  [
    'a proxy that refuses',
    new UpstreamError('unavailable', 'x', { cause: new ProxyError('the proxy p:1 answered 403') }),
    /^The proxy does not connect\.$/,
    /^The proxy p:1 answered 403\.$/,
  ],
  ['a closed port', new UpstreamError('timeout', 'x'), /do not get out/, /HTTPS_PROXY/],
]
for (const [what, error, reason, advice] of FAILURES)
  test(`the operator is told what to do about ${what}`, async () => {
    const { https } = probesFor({ probeHttps: () => Promise.reject(error) })
    await assert.rejects(https(never), (found) => {
      assert.ok(found instanceof ProbeError)
      assert.match(found.message, reason)
      assert.match(found.advice, advice)
      return true
    })
  })

test('the server outside is asked once in ten minutes, however often we are', async () => {
  let asked = 0
  const probeHttps = async () => ({ host: `host${++asked}`, proxy: 'p:1' })
  const { https, clock } = probesFor({ probeHttps })
  for (let second = 0; second < 600; second += 30) {
    assert.equal(await https(never), 'host1 answers through the proxy p:1.')
    clock.advance(30_000)
  }
  assert.equal(await https(never), 'host2 answers through the proxy p:1.')
})

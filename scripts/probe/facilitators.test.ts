import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveHttp } from '../../sandbox/http-server.ts'
import { OK } from '../../sandbox/outcome.ts'
import { jsonAnswer } from '../../sandbox/play-http.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { createOutbound } from '../../src/app/wiring/outbound.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { BASE } from '../../src/payments/sources/x402/network.ts'
import { facilitatorProbes } from './facilitators.ts'
import { runProbes } from './probe.ts'

const wait = async () => {}

test('a facilitator is understood by what it says it supports, and reported if it says it in another way', async (t) => {
  const kind = { x402Version: 2, scheme: 'exact', network: BASE.id }
  const answers: Readonly<Record<string, unknown>> = {
    '/today/supported': { kinds: [kind, { ...kind, x402Version: 1, network: 'base' }] },
    '/renamed/supported': { supportedKinds: [kind] },
    '/testnets/supported': { kinds: [{ ...kind, network: 'eip155:84532' }] },
  }
  const server = await serveHttp(
    ({ url }) => ({
      outcome: OK,
      answer: jsonAnswer(answers[url.pathname] ?? {}, url.pathname in answers ? 200 : 503),
    }),
    { wait },
  )
  t.after(server.stop)
  const base = server.url
  const config = loadConfig({ ONOMA_X402_FACILITATOR_URL: '', ONOMA_SANDBOX: 'on' })
  const outbound = createOutbound({ config, clock: systemClock, log: { warn() {} } })
  const places = ['today', 'renamed', 'testnets', 'down'].map((path) => ({ url: `${base}/${path}`, network: BASE }))
  const findings = await runProbes(facilitatorProbes(outbound, places), { clock: systemClock, wait })
  assert.deepEqual(
    findings.map(({ status }) => status),
    ['ok', 'changed', 'changed', 'unreachable'],
  )
  assert.match(findings[1]!.detail, /does not list exact payments on eip155:8453/)
  assert.match(findings[1]!.exchanges[0]!.answer, /supportedKinds/)
})

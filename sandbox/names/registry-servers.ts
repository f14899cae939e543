import type { Clock } from '../../src/kernel/clock.ts'
import { type HttpServer, type ScriptedAnswer, serveHttp } from '../http-server.ts'
import { OK } from '../outcome.ts'
import type { Wait } from '../simulator.ts'
import { type Certificate, throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'
import { chanceOf } from './chance.ts'
import type { CounterStore } from './counters.ts'
import type { ServerState } from './knobs.ts'
import { rdapAnswerFor, rdapError } from './rdap-answer.ts'
import type { Registry } from './registries.ts'
import { createTokenBucket } from './token-bucket.ts'
import { type Truth, truthOf } from './truth.ts'
import { serveWhois, type ScriptedWhoisAnswer, type WhoisServer } from './whois-server.ts'
import { unknownTldText, referralText, refusalText, whoisText } from './whois-text.ts'

type Needs = {
  readonly seed: number
  readonly clock: Clock
  readonly wait: Wait
  readonly state: ServerState
  readonly counters: CounterStore
  /** Aborted when the simulator stops. */
  readonly stopping: AbortSignal
  readonly certificate: Certificate | null
  /** Whether RDAP over https offers HTTP/2. */
  readonly http2: boolean
}

/** The RDAP server of a registry: `/com/domain/example.com`. */
export async function serveRdap(registry: Registry, needs: Needs): Promise<HttpServer> {
  const { seed, clock, wait, state, counters, stopping, certificate, http2 } = needs
  const { id } = registry
  const bucket = createTokenBucket(clock)
  const random = chanceOf(seed, 'errors', id)
  const isUntrusted = certificate !== null && state.of(id).rdapDown === 'untrusted'

  const respond = async ({ pathname, origin }: URL): Promise<ScriptedAnswer> => {
    const { latencyMs, rdapLimit, errorShare, rdapDown } = state.of(id)
    const count = counters.of('rdap', id)
    count.requests++
    if (rdapDown === 'hang') return { outcome: { kind: 'hang' }, answer: rdapError(503, 'Out of order') }
    const waitMs = bucket.take(rdapLimit)
    const isError = waitMs === null && errorShare > 0 && random.fraction() < errorShare
    if (waitMs !== null) count.throttled++
    if (isError) count.errors++
    if (latencyMs > 0) await wait(latencyMs, stopping)
    const unavailable = rdapError(503, 'Out of order')
    if (waitMs !== null)
      return { outcome: { kind: 'throttled', seconds: Math.ceil(waitMs / 1000) }, answer: unavailable }
    if (isError) return { outcome: { kind: 'down' }, answer: unavailable }
    const [, tld, name] = /^\/([a-z0-9-]+)\/domain\/([^/]+)$/.exec(pathname.toLowerCase()) ?? []
    if (tld === undefined || name === undefined) return answerOk(rdapError(400, 'Ask for /TLD/domain/NAME'))
    const truth = truthIn(registry, name, seed)
    if (truth?.tld.registry !== tld)
      return answerOk(rdapError(404, 'Not found', 'This top-level domain is not served here.'))
    return { outcome: truth.outcomes.rdap, answer: rdapAnswerFor(truth, { seed, clock, base: `${origin}/${tld}` }) }
  }
  const isReset = () => state.of(id).rdapDown === 'reset'
  const server = await serveHttp(({ url }) => respond(url), {
    wait,
    tls: isUntrusted ? throwAwayCertificate(['untrusted.test']) : certificate,
    http2,
    isReset,
    onConnection: counters.connected,
  })
  if (state.of(id).rdapDown !== 'refused') return server
  await server.stop()
  return { ...server, stop: async () => {} }
}

const answerOk = (answer: ScriptedAnswer['answer']): ScriptedAnswer => ({ outcome: OK, answer })

/** The WHOIS server of a registry. */
export async function serveWhoisOf(registry: Registry, needs: Needs): Promise<WhoisServer> {
  const { seed, clock, wait, state, counters } = needs
  const { id } = registry
  const bucket = createTokenBucket(clock)
  const respond = async (query: string, gone: AbortSignal): Promise<ScriptedWhoisAnswer> => {
    const { latencyMs, whoisLimit, whoisDenies } = state.of(id)
    const count = counters.of('whois', id)
    count.requests++
    const isThrottled = bucket.take(whoisLimit) !== null
    if (isThrottled) count.throttled++
    if (latencyMs > 0) await wait(latencyMs, gone)
    const truth = truthIn(registry, domainIn(query), seed)
    if (truth === null) return { outcome: OK, text: unknownTldText }
    if (isThrottled) return { outcome: OK, text: refusalText('throttled', truth) }
    const isDenied = whoisDenies && truth.isDelegated
    return scriptedWhoisAnswer(isDenied ? { ...truth, registration: null, isReservationPublished: false } : truth)
  }
  return serveWhois({ wait, respond })
}

function scriptedWhoisAnswer(truth: Truth): ScriptedWhoisAnswer {
  const outcome = truth.outcomes.whois
  switch (outcome.kind) {
    case 'throttled':
    case 'denied':
    case 'broken':
      return { outcome, text: refusalText(outcome.kind, truth) }
    case 'redirect':
      return { outcome, text: referralText(truth, new URL(outcome.to).hostname) }
    default:
      return { outcome, text: whoisText(truth) }
  }
}

/** The last word, without flags before it (`-T dn,ace x.de`, `domain x.com`, `=x.com`) or after it (`x.jp/e`). */
const domainIn = (query: string): string =>
  (query.split(/\s+/).at(-1) ?? '')
    .replace(/^=|\/e$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** Null if the registry does not operate the TLD, or the label is invalid. */
function truthIn({ tlds }: Registry, domain: string, seed: number): Truth | null {
  const [label = '', ...suffix] = domain.split('.')
  const isOurs = tlds.some((one) => one.tld === suffix.join('.'))
  return isOurs && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? truthOf(domain, seed) : null
}

import type { Ens } from '../../ens/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import { ProxyError } from '../../kernel/upstream/proxy.ts'
import type { DnsOutcome } from '../../protocols/dns/outcome.ts'
import { randomLabel } from '../../protocols/dns/recursor-honesty.ts'
import { type Probe, ProbeError } from './parts.ts'
import type { Registries } from './registries.ts'

/** Any zone would do; this one is asked most. */
const ZONE = 'com'
const TIMEOUT_MS = 3_000
/** A server of somebody else is not asked whenever a load balancer asks us. */
const HTTPS_TTL_MS = 600_000

type Needs = {
  readonly registries: Pick<Registries, 'dns' | 'recursors' | 'serversOf' | 'probeHttps' | 'httpsProblem'>
  readonly ens: Pick<Ens, 'health'>
  readonly clock: Clock
  readonly random: Random
  /** The sandbox may know any name. */
  readonly sandbox: boolean
}

/**
 * Asks upstreams whether they answer. Each throws a sentence for clients if they do not, or returns a note for the
 * operator.
 */
export function createProbes({ registries, ens, clock, random, sandbox }: Needs) {
  const { dns, recursors, serversOf, probeHttps, httpsProblem } = registries
  let httpsUntil = -Infinity
  let httpsNote: string | undefined

  const resolvers: Probe = async (signal) => {
    if (recursors.length === 0) throw new Error('No resolver is configured.')
    const how = { servers: recursors, recursion: true, timeoutMs: TIMEOUT_MS, signal } as const
    // One name that exists, and one that does not: a resolver with the same answer for both has it for every name.
    const [zone, unknown] = await Promise.all([
      dns.query({ ...how, name: ZONE, type: 'NS' }),
      dns.query({ ...how, name: `${randomLabel(random)}.${ZONE}`, type: 'A' }),
    ])
    if (sandbox && zone.server !== null) return undefined
    const isHonest = zone.outcome === 'answer' && unknown.outcome === 'nxdomain'
    const { server } = zone
    if (isHonest && server) {
      return server.url && `${server.url.host} is asked over HTTPS: on port 53 no resolver answers, or one that lies.`
    }
    const problem = httpsProblem()
    const overHttps = problem === undefined ? '' : ` Over HTTPS: ${problem}.`
    const isLying = [zone, unknown].some(({ outcome }) => LIES.has(outcome))
    throw isLying
      ? new ProbeError('The resolvers lie about names, so they are not believed.', `${PORTAL_ADVICE}${overHttps}`)
      : new ProbeError('The resolvers do not answer.', `${RESOLVERS_ADVICE}${overHttps}`)
  }

  const nameServers: Probe = async (signal) => {
    const servers = serversOf(ZONE)
    // The operator has turned them off.
    if (servers.length === 0) return
    const request = { name: ZONE, type: 'SOA', zone: ZONE, recursion: false, timeoutMs: TIMEOUT_MS, signal } as const
    const { server, outcome } = await dns.query({ ...request, servers })
    if (server === null) throw new Error(`The name servers of .${ZONE} do not answer.`)
    if (outcome === 'lame') throw new Error(`Another server answers in place of those of .${ZONE}; it is not believed.`)
  }

  const https: Probe = async (signal) => {
    if (clock.monotonic() < httpsUntil) return httpsNote
    const { host, proxy } = await probeHttps(signal).catch((error: unknown) => {
      throw httpsFailure(error)
    })
    httpsUntil = clock.monotonic() + HTTPS_TTL_MS
    httpsNote = proxy === undefined ? undefined : `${host} answers through the proxy ${proxy}.`
    return httpsNote
  }

  const ethereum: Probe = async (signal) => {
    const { ens: found } = await ens.health(signal)
    if (found.status !== 'ok') throw new Error(`ENS: ${found.status}.`)
  }
  return { resolvers, nameServers, https, ethereum }
}

const LIES: ReadonlySet<DnsOutcome> = new Set(['answer', 'rejected', 'nxdomain', 'nodata'])
const PORTAL_ADVICE =
  'If this network has a login page, log in. Otherwise set ONOMA_DNS_SERVERS or ONOMA_DOH_URLS to other resolvers.'
const RESOLVERS_ADVICE = 'Set ONOMA_DNS_SERVERS or ONOMA_DOH_URLS to resolvers that this machine can reach.'

/** The reason is public, so it does not name the proxy; the advice does. */
function httpsFailure(error: unknown): Error {
  if (!(error instanceof UpstreamError)) return error instanceof Error ? error : new Error(String(error))
  if (error.cause instanceof ProxyError) {
    const { message, needsPassword } = error.cause
    const reason = needsPassword ? 'The proxy wants a user and password, or others.' : 'The proxy does not connect.'
    return new ProbeError(reason, `${message[0]!.toUpperCase()}${message.slice(1)}.`)
  }
  if (error.untrusted) {
    return new ProbeError(
      'Another server answers in place of the one that was asked: its certificate is not valid.',
      'Log in if this network has a login page. If a proxy inspects TLS, set NODE_EXTRA_CA_CERTS to its certificate.',
    )
  }
  return new ProbeError(
    'HTTPS requests do not get out.',
    'Allow outgoing TCP port 443, or set HTTPS_PROXY if this network has a proxy.',
  )
}

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createSecureContext } from 'node:tls'
import { createRegistryHealth } from '../../availability/registry-health.ts'
import { createLegacyTurns } from '../../availability/legacy-turns.ts'
import { availabilityRoutes } from '../../availability/routes.ts'
import { createAvailability } from '../../availability/service.ts'
import { dnsProbe } from '../../availability/sources/dns.ts'
import { registryProbe } from '../../availability/sources/registry.ts'
import { createLookupPolicy } from '../../availability/verdict.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { createPacer } from '../../kernel/pace/pacer.ts'
import { secureRandom as random } from '../../kernel/random.ts'
import { createMemoryRateLimiter } from '../../kernel/rate-limit.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import { createDnsClient, type DnsClient } from '../../protocols/dns/client.ts'
import { decodeMessage } from '../../protocols/dns/decode.ts'
import { createDelegationFinder } from '../../protocols/dns/delegation-finder.ts'
import { encodeMessage } from '../../protocols/dns/encode.ts'
import { RCODES } from '../../protocols/dns/message.ts'
import { parseServerAddress } from '../../protocols/dns/server-address.ts'
import { createRdap } from '../../protocols/rdap/client.ts'
import { createDoor } from '../../surfaces/http/door.ts'
import { listen, type Listener } from '../../surfaces/http/listener.ts'
import { listenTls } from '../../surfaces/http/tls-listener.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { sleep } from '../../kernel/sleep.ts'
import { type Certificate, throwAwayCertificate } from './certificate.ts'

const LOOPBACK = '127.0.0.1'
/** The first has a registry of HTTP/2, the second one of HTTP/1.1. */
const TLDS = ['com', 'net']
/** Enough to optimize the hot paths, within half a second, in rounds that leave little to stop when a client comes. */
const NAMES = 200
const NAMES_PER_ROUND = 50
/** Of the round over HTTP/1.1; every handshake counts twice, since the server is here too. */
const CONNECTIONS = 16
const SINGLE_NAMES = 5
const REHEARSAL_TIMEOUT_MS = 3_000
const NO_GRACE = { lingerMs: 0, graceMs: 0 }

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Warms up the JIT: checks made-up names against a name server and a registry on loopback, because code is many times
 * slower at its first run than at its hundredth. Nothing leaves the machine and no result is kept. If it fails, or ends
 * early because the service is not idle any more, only the first answers are slower.
 */
export async function rehearse(log: Pick<Log, 'debug'>, idle: AbortSignal): Promise<void> {
  const certificate = throwAwayCertificate()
  const upstream = createUpstream({
    ca: certificate.cert,
    name: 'rehearsal',
    userAgent: 'onoma',
    clock,
    allow: (address) => address === LOOPBACK,
    timeoutMs: REHEARSAL_TIMEOUT_MS,
    maxBytes: 256 * NAMES * 4,
    connections: CONNECTIONS,
    maxQueue: NAMES,
  })
  const closing: (() => unknown)[] = [() => upstream.close()]
  try {
    // Loading the root certificates takes longer than a whole check.
    createSecureContext()
    const nameServer = await serveNames()
    closing.push(() => nameServer.close())
    const registries = await Promise.all([serveRegistry(certificate, 'h2'), serveRegistry(certificate, 'h1')])
    closing.push(() => registries.map(({ close }) => close()))
    const dns = createDnsClient({ clock, random })
    closing.push(() => dns.close())
    const service = await openService({ upstream, dns, nameServerPort: nameServer.port, registries })
    closing.push(() => service.stop(NO_GRACE))
    const url = `http://${LOOPBACK}:${service.port}/v1/check`
    for (let at = 0; at < SINGLE_NAMES; at++) await ask(upstream, idle, `${url}?name=taken-${at}`)
    for (let from = 0; from < NAMES; from += NAMES_PER_ROUND) {
      for (const tld of TLDS) {
        await ask(upstream, idle, `${url}/bulk`, JSON.stringify({ domains: madeUpNames(from, tld) }))
      }
    }
  } catch (error) {
    if (!idle.aborted) log.debug({ error }, 'The warm-up failed; the first answers will be slower.')
  } finally {
    await Promise.all(closing.map((close) => close()))
  }
}

const madeUpNames = (from: number, tld: string): string[] =>
  Array.from({ length: NAMES_PER_ROUND }, (_, at) => `${at % 2 === 0 ? 'taken' : 'free'}-${from + at}.${tld}`)

type SimulatedServers = {
  readonly upstream: Upstream
  readonly dns: DnsClient
  readonly nameServerPort: number
  /** By the position of the TLD. */
  readonly registries: readonly { readonly port: number }[]
}

/** Only the availability endpoints, composed as in compose.ts, over simulated servers. */
function openService({ upstream, dns, nameServerPort, registries }: SimulatedServers): Promise<Listener> {
  const health = createRegistryHealth(clock)
  const catalogue = loadCatalogue()
  const servers = [parseServerAddress(`${LOOPBACK}:${nameServerPort}`)]
  const baseFor = (tld: string) => `https://${LOOPBACK}:${registries[TLDS.indexOf(tld)]!.port}/`
  const rdap = createRdap({ upstream, pacer: createPacer({ clock, random }), bootstrap: { baseFor }, clock })
  const watched = health.watch('rdap', rdap, () => LOOPBACK)
  const delegations = createDelegationFinder({ client: dns, clock, random, recursors: [] })
  const availability = createAvailability({
    probes: {
      dns: dnsProbe({ delegations, serversOf: () => servers, isDecisive: () => false, clock }),
      rdap: registryProbe('rdap', watched, clock),
      whois: registryProbe('whois', watched, clock),
    },
    policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, true, false),
    clock,
  })
  const metrics = createMetrics()
  const door = createDoor({
    routes: availabilityRoutes({ availability, catalogue, clock, sleep, health, legacyTurns: createLegacyTurns() }),
    limiter: createMemoryRateLimiter({ quota: NAMES, clock }),
    isTrustedProxy: () => false,
    clock,
    random,
    log: silent,
    metrics,
  })
  return listen(door, { host: LOOPBACK, port: 0, log: silent, metrics })
}

/** Delegates names that start with "taken"; answers NXDOMAIN for all others. */
async function serveNames() {
  const socket = createSocket('udp4')
  socket.on('message', (bytes, from) => {
    // Empty datagrams only find out whether something listens here.
    if (bytes.length === 0) return
    const { id, questions } = decodeMessage(bytes)
    const { name } = questions[0]!
    const isTaken = name.startsWith('taken')
    const answer = encodeMessage({
      id,
      flags: { response: true, authoritative: !isTaken },
      rcode: isTaken ? RCODES.NOERROR : RCODES.NXDOMAIN,
      questions,
      authority: isTaken ? [{ name, ttl: 60, type: 'NS', host: 'ns.example' }] : [],
    })
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, LOOPBACK)
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}

/** Answers 404 for every name. */
const serveRegistry = (certificate: Certificate, protocol: 'h1' | 'h2') =>
  listenTls({
    ...certificate,
    protocol,
    host: LOOPBACK,
    answer: (response) =>
      response.writeHead(404, { 'content-type': 'application/rdap+json' }).end('{"errorCode":404,"title":"Not found"}'),
  })

async function ask(upstream: Upstream, signal: AbortSignal, url: string, body?: string): Promise<void> {
  const headers = { accept: 'application/x-ndjson', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await upstream.request({
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body && { body }),
    signal,
  })
  if (!answer.text().includes('"summary"')) throw new Error(`${url} returned an incomplete response`)
}

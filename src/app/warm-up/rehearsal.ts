import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createSecureContext } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRegistryHealth } from '../../availability/registry-health.ts'
import { availabilityRoutes } from '../../availability/routes.ts'
import { createAvailability } from '../../availability/service.ts'
import { dnsProbe } from '../../availability/sources/dns.ts'
import { registryProbe } from '../../availability/sources/registry.ts'
import { createLookupPolicy } from '../../availability/verdict.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { createPacer } from '../../kernel/pace/pacer.ts'
import { secureRandom as random } from '../../kernel/random.ts'
import { createMemoryRateLimiter } from '../../kernel/rate-limit.ts'
import { createUpstream, type Upstream } from '../../kernel/upstream/client.ts'
import { createDnsClient, type DnsClient } from '../../protocols/dns/client.ts'
import { decodeMessage } from '../../protocols/dns/decode.ts'
import { createDelegations } from '../../protocols/dns/delegations.ts'
import { encodeMessage } from '../../protocols/dns/encode.ts'
import { RCODES } from '../../protocols/dns/message.ts'
import { parseServerAddress } from '../../protocols/dns/server-address.ts'
import { createRdap } from '../../protocols/rdap/client.ts'
import { createDoor } from '../../surfaces/http/door.ts'
import { listen, type Listener } from '../../surfaces/http/listener.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { sleep } from '../../kernel/sleep.ts'
import { warmUp } from './warm-up.ts'

const LOOPBACK = '127.0.0.1'
/** Enough for the code to become fast, and no more than half a second of a start. */
const ROUNDS = 2
const NAMES = 200
const SINGLE_NAMES = 5
const MAX_MS = 3_000
const AT_ONCE = { lingerMs: 0, graceMs: 0 }

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Checks made-up names on the loopback, with a name server and a registry of its own, before the service says that it
 * is ready: code is many times slower at its first use than at its hundredth, and the first caller should not be the one
 * who waits for that. Nothing of it leaves the machine and nothing of it is kept; where it fails, the service is only
 * slower at first.
 */
export async function rehearse(log: Pick<Log, 'debug'>): Promise<void> {
  const upstream = createUpstream({
    name: 'rehearsal',
    userAgent: 'onoma',
    clock,
    allow: (address) => address === LOOPBACK,
    deadlineMs: MAX_MS,
    maxBytes: 256 * NAMES * 4,
    connections: 100,
    maxQueue: NAMES,
  })
  const closing: (() => unknown)[] = [() => upstream.close()]
  try {
    // The first look at the public authorities takes longer than a whole check.
    createSecureContext()
    const nameServer = await playNameServer()
    closing.push(() => nameServer.close())
    const registry = await playRegistry()
    closing.push(() => registry.stop(AT_ONCE))
    const dns = createDnsClient({ clock, random })
    closing.push(() => dns.close())
    const stage = await openStage({ upstream, dns, nameServer: nameServer.port, registry: registry.port })
    closing.push(() => stage.stop(AT_ONCE))
    const url = `http://${LOOPBACK}:${stage.port}/v1/check`
    for (let round = 0; round < ROUNDS; round++) {
      const domains = Array.from({ length: NAMES }, (_, at) => `${at % 2 === 0 ? 'taken' : 'free'}-${round}-${at}.com`)
      await ask(upstream, `${url}/bulk`, JSON.stringify({ domains }))
    }
    for (let at = 0; at < SINGLE_NAMES; at++) await ask(upstream, `${url}?name=taken-${at}`)
  } catch (error) {
    log.debug({ error }, 'The rehearsal failed; the first answers will be slower.')
  } finally {
    await Promise.all(closing.map((close) => close()))
  }
}

/**
 * Takes away what a rehearsal and a start leave behind, so that the first answers do not wait for that; a program has no
 * other way to ask for it. Patterns that have not been used for a while go with it, so they are used again.
 */
export function tidyUp(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
  warmUp()
}

type Outside = {
  readonly upstream: Upstream
  readonly dns: DnsClient
  /** Ports. */
  readonly nameServer: number
  readonly registry: number
}

/** A service of availability alone, as the app composes it, whose outside is played. */
function openStage({ upstream, dns, nameServer, registry }: Outside): Promise<Listener> {
  const health = createRegistryHealth(clock)
  const catalogue = loadCatalogue()
  const servers = [parseServerAddress(`${LOOPBACK}:${nameServer}`)]
  const bootstrap = { baseFor: () => `http://${LOOPBACK}:${registry}/` }
  const rdap = createRdap({ upstream, pacer: createPacer({ clock, random }), bootstrap, clock })
  const watched = health.watch('rdap', rdap, () => LOOPBACK)
  const delegations = createDelegations({ client: dns, clock, random, recursors: [] })
  const availability = createAvailability({
    probes: {
      dns: dnsProbe({ delegations, serversOf: () => servers, isDecisive: () => false, clock }),
      rdap: registryProbe('rdap', watched, clock),
      whois: registryProbe('whois', watched, clock),
    },
    policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, true, false),
    clock,
  })
  const legacyTurns = createConcurrencyLimit({ name: 'rehearsal', maxConcurrent: 1, maxQueue: 0 })
  const metrics = createMetrics()
  const door = createDoor({
    routes: availabilityRoutes({ availability, catalogue, clock, sleep, health, legacyTurns }),
    limiter: createMemoryRateLimiter({ quota: NAMES, clock }),
    isTrustedProxy: () => false,
    clock,
    random,
    log: silent,
    metrics,
  })
  return listen(door, { host: LOOPBACK, port: 0, log: silent, metrics })
}

/** Refers whoever asks for a name that begins with "taken"; no other name exists. */
async function playNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (bytes, from) => {
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

/** Knows no name. */
async function playRegistry(): Promise<Listener> {
  const handle: Parameters<typeof listen>[0]['handle'] = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/rdap+json' }).end('{"errorCode":404,"title":"Not found"}')
  }
  return listen({ handle, drain() {} }, { host: LOOPBACK, port: 0, log: silent, metrics: createMetrics() })
}

async function ask(upstream: Upstream, url: string, body?: string): Promise<void> {
  const headers = { accept: 'application/x-ndjson', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await upstream.request({
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body && { body }),
  })
  if (!answer.text().includes('"summary"')) throw new Error(`${url} broke off`)
}

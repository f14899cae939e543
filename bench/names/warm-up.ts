import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { Agent, get } from 'node:https'
import { text } from 'node:stream/consumers'
import { type Names, type NamesOptions, startNames } from '../../sandbox/names/start.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { secureRandom as random } from '../../src/kernel/random.ts'
import { createDnsClient } from '../../src/protocols/dns/client.ts'
import { parseServerAddress } from '../../src/protocols/dns/server-address.ts'

const WARM_UP_NAMES = 200
const WARM_UP_CONNECTIONS = 50

/**
 * Compiles the code of the simulated internet by querying another instance: only the contestant shall start cold, not the
 * name servers and registries, which in reality run all the time.
 */
export async function warmUpInternet({ seed, tls, http2 = true }: NamesOptions): Promise<void> {
  const names = await startNames({ ...(seed !== undefined && { seed }), tls: tls === true, http2 })
  try {
    const domains = Array.from({ length: WARM_UP_NAMES }, (_, at) => `warm-up-${at}.com`)
    await queryNameServers(names, domains)
    if (names.caFile !== null) await (http2 ? queryOverHttp2 : queryOverHttp1)(names, domains, names.caFile)
  } finally {
    await names.stop()
  }
}

async function queryNameServers({ nameServers }: Names, domains: readonly string[]): Promise<void> {
  const client = createDnsClient({ clock, random })
  const servers = [parseServerAddress(nameServers.a), parseServerAddress(nameServers.b)]
  const options = { type: 'NS', zone: 'com', servers, recursion: false, timeoutMs: 2_000 } as const
  await Promise.all(domains.map((name) => client.query({ name, ...options })))
  client.close()
}

const rdapOfCom = ({ registries }: Names): string =>
  Object.values(registries).find(({ tlds }) => tlds.includes('com'))!.rdap!

async function queryOverHttp1(names: Names, domains: readonly string[], caFile: string): Promise<void> {
  const agent = new Agent({ ca: await readFile(caFile), keepAlive: true, maxSockets: WARM_UP_CONNECTIONS })
  const ask = (name: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${rdapOfCom(names)}/com/domain/${name}`, { agent }, (response) => {
        response.resume().once('end', resolve).once('error', reject)
      }).once('error', reject)
    })
  await Promise.all(domains.map(ask))
  agent.destroy()
}

async function queryOverHttp2(names: Names, domains: readonly string[], caFile: string): Promise<void> {
  const session = connect(rdapOfCom(names), { ca: await readFile(caFile) })
  await once(session, 'connect')
  await Promise.all(domains.map((name) => text(session.request({ ':path': `/com/domain/${name}` }))))
  session.destroy()
}

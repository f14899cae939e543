import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { type Names, type NamesOptions, startNames } from '../../sandbox/names/start.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { secureRandom as random } from '../../src/kernel/random.ts'
import { createDnsClient } from '../../src/protocols/dns/client.ts'
import { parseServerAddress } from '../../src/protocols/dns/server-address.ts'

const WARM_UP_NAMES = 200

/**
 * Compiles the code of the simulated internet by querying another instance: only the contestant shall start cold, not the
 * name servers and registries, which in reality run all the time.
 */
export async function warmUpInternet({ seed, tls }: NamesOptions): Promise<void> {
  const names = await startNames({ ...(seed !== undefined && { seed }), tls: tls === true })
  try {
    const domains = Array.from({ length: WARM_UP_NAMES }, (_, at) => `warm-up-${at}.com`)
    await queryNameServers(names, domains)
    if (names.caFile !== null) await queryRegistry(names, domains, names.caFile)
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

async function queryRegistry({ registries }: Names, domains: readonly string[], caFile: string): Promise<void> {
  const { rdap } = Object.values(registries).find(({ tlds }) => tlds.includes('com'))!
  const session = connect(rdap!, { ca: await readFile(caFile) })
  await once(session, 'connect')
  await Promise.all(domains.map((name) => text(session.request({ ':path': `/com/domain/${name}` }))))
  session.destroy()
}

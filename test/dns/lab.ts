import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareKnot, type PreparedKnot, type Zone } from '../support/servers/knot.ts'
import { startUnbound } from '../support/servers/unbound.ts'

/**
 * Real name servers on loopback: a signed root, TLDs, the zones below them, and a validating recursor. It needs no root
 * user: every server has its own address in 127.0.0.0/8 and the same high port.
 */
export type DnsLab = {
  /** TLD → the address of its server, `ip:port`. `slow` is a server that never responds. */
  readonly tlds: Readonly<Record<'com' | 'io' | 'dev' | 'ws' | 'broken' | 'slow', string>>
  readonly root: string
  /** The server of the zones below the TLDs. */
  readonly leaf: string
  readonly recursor: string
  /** Registers a name: the TLD delegates it from then on. */
  register(name: string, tld: 'com' | 'io' | 'dev'): Promise<void>
  drop(name: string, tld: 'com' | 'io' | 'dev'): Promise<void>
  stop(): Promise<void>
}

const PORT = 5300

type Programs = { readonly knotd: string; readonly unbound: string }

export async function startDnsLab({ knotd, unbound }: Programs): Promise<DnsLab> {
  const dir = await mkdtemp(join(tmpdir(), 'onoma-dns-'))
  const stops: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  const stop = async () => {
    for (const one of stops.splice(0).toReversed()) await one()
  }
  // A network of its own, so that two labs on one machine do not collide.
  const network = `127.${16 + (process.pid % 200)}.${1 + Math.floor(Math.random() * 250)}`
  const at = (host: number) => `${network}.${host}@${PORT}`
  const [root, com, io, dev, ws] = [at(1), at(2), at(3), at(4), at(5)]
  const [broken, leaf, recursor, silent] = [at(6), at(10), at(53), at(66)]
  try {
    const keys = {
      leaf: await prepareKnot(knotd, join(dir, 'leaf'), { listen: [leaf], zones: leafZones(network) }),
      tld: await prepareKnot(knotd, join(dir, 'tld'), {
        listen: [com, io, dev, ws, broken],
        zones: TLD_KINDS,
      }),
      root: await prepareKnot(knotd, join(dir, 'root'), { listen: [root], zones: [{ name: '', signed: 'nsec' }] }),
    }
    const start = async (prepared: PreparedKnot, zones: readonly Zone[]) => {
      const running = await prepared.start(zones)
      stops.push(() => running.stop())
      return running
    }
    const tldZoneFiles = tldZones(network, await keys.leaf.ds('taken.com'))
    const rootZoneFile = rootZone(network, await Promise.all(['com', 'io', 'dev', 'ws'].map((tld) => keys.tld.ds(tld))))
    const leafs = leafZones(network)
    const startRecursor = async () => {
      const running = await startUnbound(unbound, join(dir, 'unbound'), {
        listen: recursor,
        trustAnchor: await keys.root.ds(''),
        servers: {
          '': root,
          com: com,
          io: io,
          dev: dev,
          ws: ws,
          broken: broken,
          slow: silent,
          'lame.com': leaf,
          ...Object.fromEntries(leafs.map(({ name }) => [name, leaf])),
        },
      })
      stops.push(() => running.stop())
    }
    const [tld, ...others] = await Promise.allSettled([
      start(keys.tld, tldZoneFiles),
      start(keys.leaf, leafs),
      start(keys.root, rootZoneFile),
      startRecursor(),
      openSilentServer(`${network}.66`).then((close) => stops.push(close)),
    ])
    // Check only after each has started or failed, so that `stop` stops all that run.
    for (const one of [tld, ...others]) if (one.status === 'rejected') throw one.reason
    if (tld.status === 'rejected') throw tld.reason
    const { change } = tld.value
    const text = (address: string) => address.replace('@', ':')
    return {
      root: text(root),
      leaf: text(leaf),
      recursor: text(recursor),
      tlds: { com: text(com), io: text(io), dev: text(dev), ws: text(ws), broken: text(broken), slow: text(silent) },
      register: (name, zone) => change(zone, `set ${name} 900 NS ns1.hosting.com.`),
      drop: (name, zone) => change(zone, `unset ${name}`),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A server that receives everything and never responds. */
async function openSilentServer(ip: string): Promise<() => Promise<unknown>> {
  const socket = createSocket('udp4')
  socket.bind(PORT, ip)
  await once(socket, 'listening')
  return async () => {
    socket.close()
    await once(socket, 'close')
  }
}

const TLD_KINDS: readonly Omit<Zone, 'text'>[] = [
  { name: 'com', signed: 'optout' },
  { name: 'io', signed: 'nsec' },
  { name: 'dev', signed: 'nsec' },
  { name: 'ws', signed: 'nsec' },
  { name: 'broken' },
]

const rootZone = (network: string, signatures: readonly string[]): Zone[] => [
  {
    name: '',
    text: `$ORIGIN .
$TTL 86400
@ SOA a.root-servers.net. nstld.example. 2026111500 1800 900 604800 86400
@ NS a.root-servers.net.
a.root-servers.net. A ${network}.1
com. NS a.gtld.com.
a.gtld.com. A ${network}.2
io. NS a0.nic.io.
a0.nic.io. A ${network}.3
dev. NS ns-tld1.nic.dev.
ns-tld1.nic.dev. A ${network}.4
ws. NS a.dns.ws.
a.dns.ws. A ${network}.5
broken. NS ns.broken.
ns.broken. A ${network}.6
slow. NS ns.slow.
ns.slow. A ${network}.66
${signatures.join('\n')}
`,
  },
]

function tldZones(network: string, takenDs: string): Zone[] {
  const head = (tld: string, host: string, ip: string) => `$ORIGIN ${tld}.
$TTL 900
@ SOA ${host}. hostmaster.${tld}. 2026111500 1800 900 604800 900
@ NS ${host}.
${host}. A ${network}.${ip}
taken NS ns1.hosting.com.
taken NS ns2.hosting.com.
`
  const texts: Record<string, string | null> = {
    com: `${head('com', 'a.gtld.com', '2')}${takenDs}
hosting NS ns1.hosting.com.
ns1.hosting A ${network}.10
ns2.hosting A ${network}.10
big NS ns1.hosting.com.
tcponly NS ns1.hosting.com.
; the server does not have this zone
lame NS ns1.hosting.com.
; the zone is not signed, despite this DS record
bogus NS ns1.hosting.com.
bogus DS 12345 13 2 ${'A'.repeat(64)}
`,
    io: head('io', 'a0.nic.io', '3'),
    dev: head('dev', 'ns-tld1.nic.dev', '4'),
    ws: `${head('ws', 'a.dns.ws', '5')}* A ${network}.99\n`,
    broken: null,
  }
  return TLD_KINDS.map((kind) => ({ ...kind, text: texts[kind.name] ?? null }))
}

function leafZones(network: string): Zone[] {
  const text = (name: string, more = '') => `$ORIGIN ${name}.
$TTL 300
@ SOA ns1.hosting.com. admin\\.dns.hosting.com. 2026111501 7200 3600 1209600 300
@ NS ns1.hosting.com.
@ NS ns2.hosting.com.
@ A ${network}.20
@ AAAA ::1
@ MX 10 mail.${name}.
@ MX 5 mx1.${name}.
@ TXT "v=spf1 -all"
@ TXT "part one " "part two"
@ CAA 0 issue "ca.example"
www CNAME ${name}.
${more}`
  const filler = Array.from({ length: 60 }, (_, at) => `@ TXT "filler ${at} ${'x'.repeat(90)}"\n`).join('')
  const hosts = `ns1 A ${network}.10\nns2 A ${network}.10\n`
  return [
    { name: 'taken.com', text: text('taken.com'), signed: 'nsec' },
    { name: 'taken.io', text: text('taken.io') },
    { name: 'taken.dev', text: text('taken.dev') },
    { name: 'hosting.com', text: text('hosting.com', hosts) },
    { name: 'big.com', text: text('big.com', filler) },
    { name: 'tcponly.com', text: text('tcponly.com'), tcpOnly: true },
    { name: 'bogus.com', text: text('bogus.com') },
  ]
}

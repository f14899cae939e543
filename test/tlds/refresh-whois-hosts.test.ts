import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { serveWhois, type WhoisServer } from '../../sandbox/names/whois-server.ts'
import { OK } from '../../sandbox/outcome.ts'
import { parseTldFile } from '../../src/tlds/data-file.ts'
import { type RefreshWorld, serverOf, startRefreshWorld } from './refresh-tlds.fixture.ts'

describe('refreshing the WHOIS servers of TLDs', () => {
  let world: RefreshWorld
  let iana: WhoisServer
  /** What IANA says of a TLD; the known host if left out, an answer that is not about the TLD for an Error. */
  let moved: Record<string, string | null | Error>
  before(async () => {
    world = await startRefreshWorld()
    const hosts = new Map(world.good.tlds.map(({ tld, whoisServer }) => [tld, whoisServer ?? null]))
    iana = await serveWhois({
      wait: async () => {},
      async respond(tld) {
        const host = tld in moved ? moved[tld]! : (hosts.get(tld) ?? null)
        if (host instanceof Error) return { outcome: OK, text: 'Internal error.\r\n' }
        const lines = [`domain:       ${tld.toUpperCase()}`, ...(host === null ? [] : [`whois:        ${host}`])]
        return { outcome: OK, text: `${lines.join('\r\n')}\r\n` }
      },
    })
  })
  after(async () => {
    await iana.stop()
    await world.stop()
  })
  beforeEach(async () => {
    moved = {}
    await world.reset()
  })
  const run = () => world.run('--write', '--whois', iana.address)

  test('without a change nothing is written', async () => {
    assert.equal((await run()).lines.at(-1), 'Nothing changed.')
  })

  test('a host that moved is replaced; one that IANA does not name is kept, and a new one is left to a person', async () => {
    moved = { fi: 'whois.next.fi', dk: null, es: 'whois.nic.es', cn: '10.0.0.1', ru: new Error('broken') }
    const { code, lines } = await run()
    assert.equal(code, 0)
    assert.deepEqual(lines.slice(0, 5), [
      'fi: WHOIS server moved from whois.fi to whois.next.fi',
      'cn: IANA names no WHOIS host; kept whois.cnnic.cn',
      'dk: IANA names no WHOIS host; kept whois.punktum.dk',
      'es: IANA names whois.nic.es; add it by hand if it answers',
      'No usable answer about ru; their WHOIS servers are kept.',
    ])
    const { tlds } = parseTldFile(await readFile(world.data, 'utf8'))
    const hostOf = (wanted: string) => tlds.find(({ tld }) => tld === wanted)?.whoisServer
    assert.deepEqual(['fi', 'dk', 'es', 'cn', 'ru'].map(hostOf), [
      'whois.next.fi',
      'whois.punktum.dk',
      undefined,
      'whois.cnnic.cn',
      'whois.tcinet.ru',
    ])
  })

  test('answers that cannot be right change nothing', async () => {
    const tlds = world.good.tlds.map(({ tld }) => tld)
    moved = Object.fromEntries(tlds.slice(0, 60).map((tld) => [tld, `whois.${tld}-moved.net`]))
    assert.match((await run()).text, /60 WHOIS servers seem to have moved; at most 50 are accepted/)
    moved = Object.fromEntries(tlds.map((tld) => [tld, new Error('broken')]))
    assert.match((await run()).text, /gave no usable answer for 26 TLDs/)
    assert.deepEqual(parseTldFile(await readFile(world.data, 'utf8')), world.good)
  })

  test('the RDAP server of suffixes whose TLD is not ours follows IANA’s file', async () => {
    serverOf(world.iana, 'br')[1] = ['https://rdap.moved.example/']
    const { lines } = await world.run('--write')
    assert.equal(
      lines[0],
      'suffixes under br: RDAP server moved from https://rdap.registro.br/ to https://rdap.moved.example/',
    )
    const { suffixes } = parseTldFile(await readFile(world.data, 'utf8'))
    assert.equal(suffixes.find(({ tld }) => tld === 'br')?.rdapServer, 'https://rdap.moved.example/')
  })
})

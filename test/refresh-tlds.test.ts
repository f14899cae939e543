import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refreshTlds } from '../scripts/refresh-tlds.ts'
import { parseCatalogue } from '../src/tlds/catalogue.ts'
import { formatTldFile, parseTldFile, type TldFile } from '../src/tlds/data-file.ts'

const shipped = fileURLToPath(new URL('../data/tlds.json', import.meta.url))

type Services = [string[], string[]][]
type Iana = { publication: string; services: Services; version: string; root: string[] }

/** IANA's two files as they would be if nothing had changed since our data was made, plus one TLD we do not list. */
function unchanged({ sources, tlds }: TldFile): Iana {
  const listed = tlds.filter(({ rdapFrom }) => rdapFrom === 'iana')
  return {
    publication: sources.bootstrap,
    services: [
      ...listed.map(({ tld, rdapServer }): Services[number] => [[tld], [rdapServer!]]),
      [['zw'], ['http://x/']],
    ],
    version: sources.root,
    root: [...tlds.map(({ tld }) => tld), 'xn--p1ai', 'zw'],
  }
}

const bootstrapText = ({ publication, services }: Iana) => JSON.stringify({ version: '1.0', publication, services })
const rootText = ({ version, root }: Iana) =>
  [`# Version ${version}, Last Updated Sun Nov 15 07:07:02 2026 UTC`, ...root.map((tld) => tld.toUpperCase()), ''].join(
    '\n',
  )

const serverOf = (iana: Iana, tld: string): Services[number] => iana.services.find(([[name]]) => name === tld)!
const without = <T>(list: T[], unwanted: (entry: T) => boolean): T[] => list.filter((entry) => !unwanted(entry))

describe('refreshing the TLD data', () => {
  const good = (async () => parseTldFile(await readFile(shipped, 'utf8')))()
  let folder: string
  let data: string
  let iana: Iana
  let base: string
  /** What the server does instead of serving the files as they are, by path. */
  let instead: Record<string, (request: IncomingMessage, response: ServerResponse) => void>
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close')
    const path = request.url ?? ''
    if (instead[path]) return instead[path](request, response)
    if (path === '/rdap/dns.json') return response.end(bootstrapText(iana))
    if (path === '/TLD/tlds-alpha-by-domain.txt') return response.end(rootText(iana))
    response.statusCode = 404
    return response.end('no')
  })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onoma-tlds-'))
    data = join(folder, 'tlds.json')
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await rm(folder, { recursive: true })
  })
  beforeEach(async () => {
    iana = unchanged(await good)
    instead = {}
    await writeFile(data, formatTldFile(await good))
  })

  const run = async (...args: string[]) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const code = await refreshTlds(['--data', data, '--from', base, ...args], { print, timeoutMs: 5000 })
    return { code, lines, text: lines.join('\n') }
  }
  /** A good copy must survive a bad download, to the byte and with nothing lying beside it. */
  const keepsTheGoodCopy = async (message: RegExp) => {
    const { code, text } = await run('--write')
    assert.match(text, message)
    assert.match(text, /the data file is as it was/)
    assert.equal(code, 1)
    assert.equal(await readFile(data, 'utf8'), formatTldFile(await good))
    assert.deepEqual(await readdir(folder), ['tlds.json'])
  }

  test('the shipped file is written as the script writes it', async () => {
    assert.equal(formatTldFile(await good), await readFile(shipped, 'utf8'))
  })

  test('without a change it says so, and counts the TLDs we do not list', async () => {
    assert.deepEqual(await run('--write'), {
      code: 0,
      lines: ['2 TLDs at IANA are not in our list.', 'Nothing changed.'],
      text: '2 TLDs at IANA are not in our list.\nNothing changed.',
    })
  })

  describe('with changes at IANA', () => {
    beforeEach(() => {
      serverOf(iana, 'fun')[1] = ['http://rdap.moved.example/', 'https://rdap.moved.example/fun']
      iana.services.push([['io', 'at'], ['https://rdap.new.example/']])
      iana.services = without(iana.services, ([[tld]]) => tld === 'ai' || tld === 'bot')
      iana.root = without(iana.root, (tld) => tld === 'ws')
      iana.publication = '2026-11-14T19:00:02Z'
      iana.version = '2026111401'
    })
    const words = [
      'ai: has no RDAP server any more (was https://rdap.identitydigital.services/rdap/)',
      'at: has an RDAP server now: https://rdap.new.example/',
      'bot: has no RDAP server any more (was https://rdap.nominet.uk/bot/)',
      'fun: RDAP server moved from https://rdap.radix.host/rdap/ to https://rdap.moved.example/fun/',
      'io: RDAP server moved from https://rdap.identitydigital.services/rdap/ to https://rdap.new.example/',
      "io: RDAP server is from IANA's list now, no longer from our own table",
      'ws: left the root zone, so it is disabled',
      'bootstrap file: 2026-03-23T19:00:02Z -> 2026-11-14T19:00:02Z',
      'root file: 2026082001 -> 2026111401',
      '2 TLDs at IANA are not in our list.',
    ]

    test('a dry run tells them in words and writes nothing', async () => {
      const { code, lines } = await run()
      assert.deepEqual(lines, [...words, 'Nothing was written; --write writes.'])
      assert.equal(code, 0)
      assert.equal(await readFile(data, 'utf8'), formatTldFile(await good))
    })

    test('--write keeps what is ours and changes only the facts', async () => {
      const { code, lines } = await run('--write')
      assert.deepEqual(lines, [...words, `Wrote ${data}.`])
      assert.equal(code, 0)
      assert.deepEqual(await readdir(folder), ['tlds.json'])

      const text = await readFile(data, 'utf8')
      const { categories, unlistedRdap, plainHttp } = parseTldFile(text)
      assert.deepEqual(
        { categories, unlistedRdap, plainHttp },
        {
          categories: (await good).categories,
          unlistedRdap: (await good).unlistedRdap,
          plainHttp: ['ng'],
        },
      )
      const catalogue = parseCatalogue(text)
      assert.deepEqual(
        ['fun', 'io', 'at', 'ai', 'ws'].map((tld) => {
          const { rdapServer, rdapFrom, lookup, enabled, whoisServer } = catalogue.find(tld)!
          return [tld, rdapServer, rdapFrom, lookup, enabled, whoisServer]
        }),
        [
          ['fun', 'https://rdap.moved.example/fun/', 'iana', 'rdap', true, 'whois.nic.fun'],
          ['io', 'https://rdap.new.example/', 'iana', 'rdap', true, 'whois.nic.io'],
          ['at', 'https://rdap.new.example/', 'iana', 'rdap', true, 'whois.nic.at'],
          ['ai', '', null, 'whois', true, 'whois.nic.ai'],
          ['ws', '', null, 'whois', false, 'whois.worldsite.ws'],
        ],
      )
      assert.deepEqual((await run('--write')).lines.at(-1), 'Nothing changed.')
    })

    test('what comes back is taken back: the root zone, and our own table', async () => {
      await run('--write')
      iana.root.push('ws')
      iana.services = without(iana.services, ([[tld]]) => tld === 'io')
      const { lines } = await run('--write')
      assert.deepEqual(lines.slice(0, 4), [
        'at: has no RDAP server any more (was https://rdap.new.example/)',
        'io: RDAP server moved from https://rdap.new.example/ to https://rdap.identitydigital.services/rdap/',
        "io: RDAP server is from our own table now, no longer from IANA's list",
        'ws: is back in the root zone, so it is enabled',
      ])
    })
  })

  test('a folder with the two files will do', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'onoma-iana-'))
    try {
      for (const [name, text] of [
        ['rdap/dns.json', bootstrapText(iana)],
        ['TLD/tlds-alpha-by-domain.txt', rootText(iana)],
      ] as const) {
        await mkdir(join(mirror, name, '..'), { recursive: true })
        await writeFile(join(mirror, name), text)
      }
      assert.equal((await run('--from', mirror)).lines.at(-1), 'Nothing changed.')
      await rm(join(mirror, 'rdap'), { recursive: true })
      assert.equal((await run('--from', mirror)).code, 1)
    } finally {
      await rm(mirror, { recursive: true })
    }
  })

  describe('a bad download never replaces the good copy', () => {
    const bootstrap = '/rdap/dns.json'
    const root = '/TLD/tlds-alpha-by-domain.txt'
    const answer = (path: string, text: string, status = 200) => {
      instead[path] = (_, response) => response.writeHead(status).end(text)
    }

    test('JSON cut in half', async () => {
      answer(bootstrap, bootstrapText(iana).slice(0, 9000))
      await keepsTheGoodCopy(/rdap\/dns\.json is not JSON/)
    })
    test('a body shorter than announced', async () => {
      instead[root] = (_, response) => {
        response.writeHead(200, { 'content-length': 10_000 }).write(rootText(iana).slice(0, 500))
        response.socket?.end()
      }
      await keepsTheGoodCopy(/could not fetch .*tlds-alpha-by-domain\.txt/)
    })
    test('a list cut in the middle of a line', async () => {
      answer(root, rootText(iana).slice(0, -2))
      await keepsTheGoodCopy(/is cut off/)
    })
    test('a list cut at the end of a line', async () => {
      iana.root = iana.root.slice(0, 505)
      await keepsTheGoodCopy(/6 of our TLDs seem to have left the root zone \(.*\); more than 5 is not believed/)
    })
    test('a list without TLDs', async () => {
      iana.root = []
      await keepsTheGoodCopy(/511 of our TLDs seem to have left the root zone/)
    })
    test('a list with something else in it', async () => {
      iana.root.splice(3, 0, 'not a tld')
      await keepsTheGoodCopy(/has a line that is no TLD: "NOT A TLD"/)
    })
    test('a bootstrap file with far fewer TLDs', async () => {
      iana.services = iana.services.slice(0, 400)
      await keepsTheGoodCopy(/\d+ of our TLDs seem to have lost their RDAP server/)
    })
    test('a web page in place of either', async () => {
      answer(bootstrap, '<!doctype html><title>Sign in</title>')
      await keepsTheGoodCopy(/rdap\/dns\.json is not JSON but a web page/)
      delete instead[bootstrap]
      answer(root, '<!doctype html><title>Sign in</title>\n')
      await keepsTheGoodCopy(/tlds-alpha-by-domain\.txt is a web page/)
    })
    test('JSON of another shape', async () => {
      const wrong: unknown[] = [[], null, { services: [] }, { publication: iana.publication, services: [['com']] }]
      for (const shape of wrong) {
        answer(bootstrap, JSON.stringify(shape))
        await keepsTheGoodCopy(/is not an RDAP bootstrap file/)
      }
    })
    test('a server that offers no https, where it did before', async () => {
      serverOf(iana, 'com')[1] = ['http://rdap.verisign.com/com/v1/']
      await keepsTheGoodCopy(/no https server for \.com; if that is so, add it to plainHttp/)
    })
    test('a server that is no place to ask', async () => {
      for (const url of [
        'https://127.0.0.1/',
        'https://u:p@rdap.example/',
        'file:///etc/',
        'https://rdap.example/?x=/',
        'no',
      ]) {
        serverOf(iana, 'com')[1] = [url]
        await keepsTheGoodCopy(/has an odd server for \.com/)
      }
    })
    test('a TLD listed twice', async () => {
      iana.services.push([['com'], ['https://rdap.other.example/']])
      await keepsTheGoodCopy(/lists \.com twice/)
    })
    test('an older edition than ours', async () => {
      iana.publication = '2026-01-30T19:00:02Z'
      await keepsTheGoodCopy(/older than ours of 2026-03-23/)
      iana.publication = '2026-03-23T19:00:02Z'
      iana.version = '2026082000'
      await keepsTheGoodCopy(/version 2026082000, older than our 2026082001/)
    })
    test('more bytes than could be right', async () => {
      answer(bootstrap, ' '.repeat(3 * 1024 * 1024))
      await keepsTheGoodCopy(/it is larger than 2097152 bytes/)
    })
    test('bytes that are no text', async () => {
      instead[root] = (_, response) => response.end(Buffer.from([0x23, 0xff, 0xfe, 0x0a]))
      await keepsTheGoodCopy(/not valid/)
    })
    test('an error, a redirect, a hang-up', async () => {
      answer(root, 'busy', 503)
      await keepsTheGoodCopy(/the answer is 503/)
      instead[root] = (_, response) => response.writeHead(302, { location: `${base}/elsewhere` }).end()
      await keepsTheGoodCopy(/could not fetch .*redirect/)
      instead[root] = (request) => request.socket.destroy()
      await keepsTheGoodCopy(/could not fetch/)
    })
    test('silence', async () => {
      instead[root] = () => {}
      const lines: string[] = []
      const needs = { print: (line: string) => void lines.push(line), timeoutMs: 50 }
      assert.equal(await refreshTlds(['--data', data, '--from', base, '--write'], needs), 1)
      assert.match(lines.join(), /timeout/)
    })
    test('an address without https that is not this machine', async () => {
      const { code, text } = await run('--from', 'http://mirror.example')
      assert.equal(code, 1)
      assert.match(text, /--from must be a folder or an https address/)
    })
  })

  test('a data file that cannot be written is reported, and stays as it was', async () => {
    iana.version = '2026111401'
    const obstacle = `${data}.${process.pid}.tmp`
    await mkdir(obstacle)
    try {
      const { code, text } = await run('--write')
      assert.match(text, /the data file is as it was: EISDIR/)
      assert.equal(code, 1)
      assert.equal(await readFile(data, 'utf8'), formatTldFile(await good))
    } finally {
      await rm(obstacle, { recursive: true })
    }
  })

  test('facts the service would refuse are not written', async () => {
    await writeFile(data, formatTldFile({ ...(await good), tlds: (await good).tlds.slice(0, -1) }))
    iana.version = '2026111401'
    const { code, text } = await run('--write')
    assert.match(text, /it has 510 TLDs, not 511/)
    assert.equal(code, 1)
    assert.deepEqual(await readdir(folder), ['tlds.json'])
  })

  test('as a command it shows the diff and ends with the exit code', async () => {
    const command = async (...args: string[]) => {
      const script = fileURLToPath(new URL('../scripts/refresh-tlds.ts', import.meta.url))
      const child = spawn(process.execPath, [script, '--data', data, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [text, code] = await Promise.all([
        child.stdout
          .setEncoding('utf8')
          .toArray()
          .then((chunks) => chunks.join('')),
        new Promise((ended) => child.once('close', ended)),
      ])
      return { text, code }
    }
    assert.deepEqual(await command('--from', base), {
      text: '2 TLDs at IANA are not in our list.\nNothing changed.\n',
      code: 0,
    })
    const failed = await command('--from', join(folder, 'nowhere'))
    assert.match(failed.text, /refresh:tlds failed/)
    assert.equal(failed.code, 1)
    assert.match((await command('--help')).text, /^usage: npm run refresh:tlds/)
  })
})

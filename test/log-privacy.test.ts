import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { aftermarket } from '../sandbox/aftermarket.ts'
import { engines } from '../sandbox/engines.ts'
import { iana } from '../sandbox/iana.ts'
import { names } from '../sandbox/names/names.ts'
import { startWorld, type World } from '../sandbox/world.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { type Service, startService } from '../src/app/service.ts'
import { createLog } from '../src/kernel/log.ts'

type Line = { readonly level: string; readonly request?: string; readonly code?: string; readonly reason?: string[] }

type Init = {
  readonly method?: string
  readonly redirect?: 'manual'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** In every name that is asked about here. */
const LABEL = 'quillfeather'

suite('the log of a whole service at info', () => {
  let world: World
  let folder: string
  let service: Service
  let text = ''
  before(async () => {
    world = await startWorld([iana, names, engines, aftermarket])
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-log-'))
    const config = loadConfig({
      ...world.settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_DATA_DIR: folder,
      ONOMA_CHROMIUM: join(folder, 'missing'),
    })
    const destination = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
    service = await startService(config, { log: createLog('info', destination) })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const rows: [path: string, status: number, reason: RegExp][] = [
    [`/v1/intel?domain=broken-${LABEL}.com`, 503, /could not answer/],
    [`/v1/intel?domain=taken-${LABEL}.com`, 503, /no browser/],
    [`/v1/dns/lame-${LABEL}.com`, 503, /SERVFAIL/],
    [`/v1/whois?domain=broken-${LABEL}.ru`, 502, /gave no usable answer/],
    [`/v1/aftermarket/broken-${LABEL}.com?sources=source_a`, 503, /source_a: unavailable/],
    [`/v1/name-search-presence?name=broken%20${LABEL}`, 503, /engine_a .*engine_b /],
  ]
  for (const [path, status, reason] of rows) {
    test(`says that and why ${path} failed, without the name`, async () => {
      const id = `request-${rows.findIndex(([one]) => one === path)}`
      const response = await fetch(service.url + path, { headers: { 'x-request-id': id } })
      const { error } = (await response.json()) as { error: string }
      assert.equal(response.status, status)
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
      const line = lines.find(({ request }) => request === id)
      assert.deepEqual([line?.level, line?.code], ['warn', error])
      assert.match(line!.reason!.join(), reason)
      assert.ok(!text.includes(LABEL), text)
    })
  }

  /** Each answers, whatever its status. The first word of a name scripts what the simulated world does with it. */
  const asked: [what: string, path: string, init?: Init][] = [
    ['the page of a name', `/n/taken-${LABEL}`],
    ['the page of a name that the registry fails', `/n/broken-${LABEL}`],
    ['the page of a name that nobody can own', `/n/-${LABEL}`],
    ['a search', `/n?q=${LABEL}.com`, { redirect: 'manual' }],
    ['the page of a domain', `/d/taken-${LABEL}.com`],
    ['the page of a domain whose name servers fail', `/d/lame-${LABEL}.com`],
    ['the page of a domain of an unknown TLD', `/d/${LABEL}.zzz`],
    ['the page for lists', `/bulk?names=${LABEL}.com`],
    ['a page that does not exist', `/nothing/${LABEL}?q=${LABEL}`],
    ['a dossier', `/v1/names/taken-${LABEL}.com?tld=com`],
    ['a dossier with failures', `/v1/names/broken-${LABEL}.ru?tld=com,ru`],
    ['a dossier as a stream', `/v1/names/${LABEL}?tld=com`, { headers: { accept: 'application/x-ndjson' } }],
    ['a dossier of an invalid name', `/v1/names/${LABEL}..com`],
    [
      'a list',
      '/v1/check/bulk',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ domains: [`broken-${LABEL}.com`, `${LABEL}..com`] }),
      },
    ],
  ]
  for (const [what, path, init] of asked) {
    test(`${what}: no cookie, and no name in the log`, async () => {
      const loggedBefore = text.length
      const response = await fetch(service.url + path, {
        ...init,
        headers: { referer: `https://search.example/?q=${LABEL}`, cookie: `last=${LABEL}`, ...init?.headers },
      })
      await response.text()
      assert.equal(response.headers.get('set-cookie'), null)
      const logged = text.slice(loggedBefore)
      assert.ok(!logged.includes(LABEL), logged)
    })
  }
})

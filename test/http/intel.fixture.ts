import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Capture } from '../../src/intel/browser.ts'
import { intelRoutes } from '../../src/intel/routes.ts'
import { createIntel, type VisitedPage } from '../../src/intel/service.ts'
import { diskScreenshots } from '../../src/intel/sources/screenshots/disk.ts'
import type { Standing } from '../../src/intel/standing.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { pictureMount } from '../../src/surfaces/http/pictures.ts'
import { startPaidDoor } from '../support/paid-door.ts'

export const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('what a visitor sees')])
const PARKED_HTML = '<!doctype html><title>shop.example</title><h1>shop.example is for sale</h1><p>Make an offer.</p>'

export const captureOf = (host: string, changes: Partial<Capture> = {}): Capture => ({
  finalUrl: `https://${host}/`,
  hops: [`https://${host}/`],
  status: 200,
  firstBody: PARKED_HTML,
  html: PARKED_HTML,
  title: 'shop.example',
  text: 'shop.example is for sale Make an offer.',
  hosts: [host],
  screenshot: JPEG,
  loadTimeMs: 431.6,
  ...changes,
})

/** What the browser, the registry and DNS reply; each test may replace parts of it. */
type Upstreams = {
  hasRoom: () => boolean
  ready: () => Promise<void>
  visit: Browser['visit']
  standing: (domain: string) => Promise<Standing>
  hosting: { nameservers: string[]; addresses: string[] }
}

const working = (): Upstreams => ({
  hasRoom: () => true,
  ready: async () => {},
  visit: async (host) => captureOf(host),
  standing: async () => ({ state: 'registered' }),
  hosting: { nameservers: ['ns1.hosting.example'], addresses: ['203.0.113.9'] },
})

export type IntelDoor = Awaited<ReturnType<typeof startIntelDoor>>

/** `/v1/intel` over HTTP with payments, on top of replaceable upstreams. */
export async function startIntelDoor() {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-intel-'))
  const screenshotFolder = join(folder, 'screenshots')
  const upstreams = working()
  const visited: string[] = []
  const checked: string[] = []
  const pages: VisitedPage[] = []
  const warnings: string[] = []
  const screenshots = diskScreenshots({
    folder: screenshotFolder,
    secret: () => Buffer.from('a secret'),
    maxAgeMs: 1e9,
    maxBytes: 1e9,
    clock: systemClock,
    random: secureRandom,
  })
  const intel = createIntel({
    browser: {
      hasRoom: () => upstreams.hasRoom(),
      ready: () => upstreams.ready(),
      visit(host, signal) {
        visited.push(host)
        return upstreams.visit(host, signal)
      },
      close: async () => {},
    },
    screenshots,
    standingOf(domain) {
      checked.push(domain)
      return upstreams.standing(domain)
    },
    hostingOf: async () => upstreams.hosting,
    onVisit: (page) => void pages.push(page),
    urlOf: (id) => `${door.url}/screenshots/${id}.jpg`,
    log: { debug() {}, info() {}, error() {}, warn: (_facts, message) => void warnings.push(message) },
  })
  const door = await startPaidDoor(intelRoutes(intel), [pictureMount(screenshots)])
  return {
    ...door,
    upstreams,
    screenshotFolder,
    visited,
    checked,
    pages,
    warnings,
    buyIntel: (domain: string) => door.buy(`/v1/intel?domain=${encodeURIComponent(domain)}`),
    /** Restores the upstreams, and clears what was recorded. */
    reset() {
      for (const list of [visited, checked, pages, warnings]) list.length = 0
      Object.assign(upstreams, working())
    },
    async stop() {
      await door.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Parser } from 'htmlparser2'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'

type Link = { readonly href: string; readonly rel: readonly string[]; after: string }
type Listing = { readonly saleType?: string; readonly url: string; readonly affiliateUrl: string }

const AFFILIATE_ID = 'partner-4711'
const MAX_TRIES = 100

suite('links of the pages', () => {
  let world: World
  let folder: string
  let service: Service
  before(async () => {
    world = await startWorld(SIMULATORS)
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-links-'))
    const config = loadConfig({
      ...world.settings,
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_DATA_DIR: folder,
      ONOMA_RATE_LIMIT: 'off',
      ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK: `https://shop.example/{domain}?from=${AFFILIATE_ID}`,
    })
    service = await startService(config, { log: { debug() {}, info() {}, warn() {}, error() {} } })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The links of a page to other hosts, each with the text that follows it in its cell. */
  const linksOutOf = async (path: string): Promise<Link[]> => {
    const links: Link[] = []
    let isAfter = false
    const parser = new Parser({
      onopentag(name, { href, rel = '' }) {
        if (name === 'a') isAfter = false
        if (name === 'a' && href !== undefined && URL.canParse(href) && !href.startsWith('mailto:'))
          links.push({ href, rel: rel.split(' '), after: '' })
      },
      ontext(text) {
        if (isAfter) links.at(-1)!.after += text
      },
      onclosetag(name) {
        if (name === 'a') isAfter = links.length > 0
        else if (name === 'th' || name === 'td') isAfter = false
      },
    })
    const response = await fetch(service.url + path)
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    parser.end(await response.text())
    return links
  }
  /** A domain for sale at the marketplace with an affiliate link. */
  const findOffer = async (): Promise<string> => {
    for (let at = 0; at < MAX_TRIES; at++) {
      const domain = `taken-offer-${at}.com`
      const response = await fetch(`${service.url}/v1/aftermarket/${domain}?sources=source_b`)
      const { listings } = (await response.json()) as { listings: Listing[] }
      if (listings.some(({ saleType, affiliateUrl }) => saleType !== undefined && affiliateUrl.includes(AFFILIATE_ID)))
        return domain
    }
    throw new Error('No domain is for sale in the sandbox.')
  }

  test('no link tells the other side where it was found, and an affiliate link says what it is', async () => {
    const domain = await findOffer()
    for (const path of [`/d/${domain}`, `/n/${domain.replace('.com', '')}`, '/', '/n/acme']) {
      const links = await linksOutOf(path)
      assert.deepEqual(
        links.filter(({ rel }) => !rel.includes('noreferrer')),
        [],
        path,
      )
      for (const { href, rel, after } of links) {
        const isAffiliate = href.includes(AFFILIATE_ID)
        assert.equal(rel.includes('sponsored'), isAffiliate, href)
        assert.equal(after.includes('affiliate link'), isAffiliate, href)
      }
      if (path.includes('offer'))
        assert.ok(
          links.some(({ href }) => href.includes(AFFILIATE_ID)),
          path,
        )
    }
  })
})

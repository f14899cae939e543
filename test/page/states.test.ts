import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { parseSandboxEnv, sandboxConfig } from '../../sandbox/settings.ts'
import { SIMULATORS } from '../../sandbox/simulators.ts'
import { startWorld, type World } from '../../sandbox/world.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { untilLoaded } from '../support/sandbox-loaded.ts'

const MAX_ATTEMPTS = 6
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** The pages that docs/sandbox.md names: every state can be reached by anybody who starts the sandbox. */
suite('every state of the pages, in the sandbox', () => {
  let world: World
  let service: Service
  before(async () => {
    world = await startWorld(SIMULATORS)
    const { config } = await sandboxConfig(parseSandboxEnv({ ONOMA_RATE_LIMIT: 'off' }), world)
    service = await startService(config, { log })
    await untilLoaded(service.url)
  })
  after(async () => {
    await service?.stop({ lingerMs: 0 })
    await world?.stop()
  })

  const open = async (path: string): Promise<string> => {
    const answer = await fetch(`${service.url}${path}`)
    const page = await answer.text()
    assert.equal(answer.status, 200, page)
    return page
  }
  /** Opened again while a domain is unknown: on a busy machine the registries may answer too late. */
  const openKnown = async (path: string): Promise<string> => {
    let page = ''
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      page = await open(path)
      // What comes after the template are answers; before it, the filters name every state.
      if (!/class="(?:tile|s) unknown/.test(page.slice(page.indexOf('</template>')))) break
    }
    return page
  }
  const textOf = (html: string): string =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  /** The classes and the words of the tiles of a TLD. */
  const tilesOf = (page: string, tld: string): string[] =>
    [...page.matchAll(/<li slot="t-(\w+)" class="tile (\w+)[^"]*">(.*?)<\/li>/gs)]
      .filter(([, slot]) => slot === tld)
      .map(([, , state, inner]) => `${state}: ${textOf(inner!)}`)
  const sumOf = (page: string): string => /<p slot="sum">(.*?)<\/p>/s.exec(page)?.[1] ?? ''
  const titleOf = (page: string): string => /<title>(.*?)<\/title>/s.exec(page)?.[1] ?? ''

  test('free with its price, taken, for sale, reserved', async () => {
    const free = await openKnown('/n/free-shop')
    assert.match(tilesOf(free, 'com').join(), /^free: free-shop \.com free \$\d+\.\d\d(?: renews at \$\d+\.\d\d)?$/)
    assert.equal(titleOf(free), 'free-shop: 20 of 20 free')
    assert.match(free, /as of \d+ \w+ \d{4}\. Taxes/)

    assert.deepEqual(tilesOf(await openKnown('/n/taken-shop'), 'net'), ['taken: taken-shop .net taken'])
    const sold = await openKnown('/n/taken-forsale-shop')
    assert.ok(tilesOf(sold, 'com').some((tile) => /^sale: .* for sale \$[\d,]+ taken, and offered$/.test(tile)))
    assert.match(sumOf(sold), /^0 of 20 free\. \.com is taken, for sale from \$[\d,]+\./)
    assert.match(tilesOf(await openKnown('/n/reserved-shop'), 'com').join(), /^reserved: .* reserved by the registry$/)
  })

  test('an offer for a domain that nobody holds is no verdict: tile, sentence and card agree', async () => {
    for (const [path, domain] of [
      ['/n/%F0%9F%98%80', 'xn--e28h.com'],
      ['/n/free-shop', 'free-shop.com'],
    ] as const) {
      const page = await openKnown(path)
      assert.deepEqual(
        tilesOf(page, 'com').map((tile) => tile.split(':')[0]),
        ['free'],
        path,
      )
      assert.doesNotMatch(sumOf(page), /for sale/, path)
      const [, card] = /<section class="card">\s*(<header>\s*<h2><i>1<.*?)<\/section>/s.exec(page) ?? []
      assert.match(textOf(card ?? ''), new RegExp(`^1 For sale The registry says that ${domain} is free: these offers`))
    }
  })

  test('the states of ENS', async () => {
    for (const [name, words] of [
      ['taken', /taken\.eth taken Registered until/],
      ['grace', /grace\.eth taken, in grace It expired on/],
      ['premium', /premium\.eth free, at a premium \$[\d,]+ today: .*The premium halves every day/],
      ['lapsed', /lapsed\.eth free \$[\d.]+ for a year/],
      ['ab', /ab\.eth invalid ENS cannot have this name: it is too short/],
    ] as const)
      assert.match(textOf(await openKnown(`/n/${name}.eth`)), words)
  })

  test('domains: a timeline, one that is free, one that is reserved, a suffix, other letters', async () => {
    const taken = await openKnown('/d/taken-shop.com')
    for (const step of ['created', 'updated', 'today', 'expires', 'grace', 'redemption', 'deletion', 'free again'])
      assert.ok(taken.includes(`>${step}<`), step)
    assert.match(taken, /<details><summary>Evidence/)
    assert.match(taken, /<code>npx mppx /)
    assert.match(titleOf(taken), /^taken-shop\.com: taken/)

    const free = textOf(await openKnown('/d/free-shop.com'))
    assert.match(free, /Register free Registrar First year Renewal Porkbun \$\d/)
    assert.match(free, /The registry has no record of free-shop\.com/)
    assert.match(textOf(await openKnown('/d/reserved-shop.com')), /reserved by the registry/)
    assert.match(titleOf(await openKnown('/d/taken-shop.co.uk')), /^taken-shop\.co\.uk: taken/)
    const letters = await openKnown('/d/b%C3%BCcher.de')
    assert.match(textOf(letters), /bücher \.de asking xn--bcher-kva\.de/)
    assert.match(titleOf(letters), /^bücher\.de: (?:free|taken)/)
  })

  test('each name has one address', async () => {
    for (const [path, target] of [
      ['/n/acme.com', '/d/acme.com'],
      ['/d/acme', '/n/acme'],
      ['/d/acme.eth', '/n/acme.eth'],
      ['/n?q=acme.com', '/d/acme.com'],
      ['/n?q=+acme+', '/n/acme'],
      ['/n?q=acme.eth', '/n/acme.eth'],
      ['/n?q=', '/'],
    ] as const) {
      const answer = await fetch(`${service.url}${path}`, { redirect: 'manual' })
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, target], path)
    }
  })

  test('all TLDs are there in the first piece, and each has an answer at the end', async () => {
    const page = await openKnown('/n/free-shop?set=all')
    const [first, rest] = page.split('</template>')
    const slots = new Set([...first!.matchAll(/<slot name="(t-[\w-]+)"/g)].map(([, slot]) => slot))
    const tiles = new Set([...rest!.matchAll(/<li slot="(t-[\w-]+)"/g)].map(([, slot]) => slot))
    assert.equal(slots.size, 511)
    assert.deepEqual(slots.difference(tiles), new Set())
  })

  // Last: the service leaves registries alone for a while that hang.
  test('unknown has its reason and a link to ask again', async () => {
    const page = await open('/n/hang-shop')
    assert.match(tilesOf(page, 'com').join(), /^unknown: .* unknown No reply in time\. Ask again$/)
    assert.match(page, /<a href="\/n\/hang-shop">Ask again<\/a>/)
    assert.match(titleOf(page), /^hang-shop: \d+ of 20 unknown/)
    assert.match(textOf(await open('/d/hang-shop.com')), /unknown \w[^.]*\. Ask again/)
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadCatalogue } from '../src/tlds/catalogue.ts'
import { iana } from './iana.ts'
import { startWorld, type World } from './world.ts'

const startIana = (seed: number) => startWorld([iana], { seed, wait: async () => {} })
const baseOf = (world: World) => world.simulators[0]!.addresses['files']!

async function filesIn(world: World) {
  const [rdap, root] = await Promise.all(
    ['rdap/dns.json', 'TLD/tlds-alpha-by-domain.txt'].map(async (path) =>
      (await fetch(`${baseOf(world)}/${path}`)).text(),
    ),
  )
  return { rdap: rdap!, root: root! }
}

suite("IANA's files in the sandbox", () => {
  test('hold the TLDs and RDAP servers of our catalogue, without our own additions', async () => {
    const world = await startIana(1)
    const { rdap, root } = await filesIn(world)
    await world.stop()
    const { tlds } = loadCatalogue()
    const listed = (JSON.parse(rdap) as { services: [string[], string[]][] }).services.flatMap(([names, servers]) =>
      names.map((name) => [name, ...servers].join(' ')),
    )
    const expected = tlds.filter(({ rdapFrom }) => rdapFrom === 'iana')
    assert.deepEqual(new Set(listed), new Set(expected.map(({ tld, rdapServer }) => `${tld} ${rdapServer}`)))
    assert.equal(listed.length, expected.length)
    const [head, ...names] = root.trimEnd().split('\n')
    assert.match(head!, /^# Version \d{10}, Last Updated [A-Z][a-z]{2} [A-Z][a-z]{2} \d\d 07:07:01 20\d\d UTC$/)
    assert.deepEqual(
      names,
      tlds.filter(({ enabled }) => enabled).map(({ tld }) => tld.toUpperCase()),
    )
  })

  test('are identical for the same seed; another seed has another order', async () => {
    const worlds = await Promise.all([7, 7, 8].map(startIana))
    const [one, same, other] = await Promise.all(worlds.map(filesIn))
    await Promise.all(worlds.map((world) => world.stop()))
    assert.deepEqual(same, one)
    assert.notEqual(other!.rdap, one!.rdap)
    assert.equal(other!.root, one!.root)
  })

  test('are not used by the service, and every other path is 404', async () => {
    const world = await startIana(1)
    assert.deepEqual(world.settings, {})
    for (const path of ['', '/rdap', '/a/b/rdap/dns.json', '/rdap/dns.json/']) {
      const { status } = await fetch(baseOf(world) + path)
      assert.equal(status, 404, path)
    }
    await world.stop()
  })

  test('fail together, or one of them', async () => {
    const world = await startIana(1)
    const files = ['rdap/dns.json', 'TLD/tlds-alpha-by-domain.txt']
    const scripts = {
      '': [200, 200],
      down: [503, 503],
      'down-rdap': [503, 200],
      'down-root': [200, 503],
      fine: [200, 200],
    }
    for (const [script, expected] of Object.entries(scripts)) {
      const base = script && `${script}/`
      const found = await Promise.all(
        files.map(async (file) => (await fetch(`${baseOf(world)}/${base}${file}`)).status),
      )
      assert.deepEqual(found, expected, script)
    }
    await world.stop()
  })
})

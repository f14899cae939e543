import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type * as z from 'zod'
import { unlimited } from '../../src/kernel/rate-limit.ts'
import { loadCatalogue, parseCatalogue, type Tld } from '../../src/tlds/catalogue.ts'
import {
  LegacyTldList,
  listTlds,
  listTldsLegacy,
  TldCategoryAnswer,
  TldList,
  TldOverview,
} from '../../src/tlds/contract.ts'
import { tldRoutes } from '../../src/tlds/routes.ts'
import { startDoor } from '../support/door.ts'

/** From the contract. */
const COUNTS = {
  top20: 20,
  business: 22,
  country: 68,
  creative: 19,
  education: 12,
  finance: 20,
  food: 13,
  health: 12,
  realestate: 15,
  shopping: 17,
  social: 14,
  sports: 16,
  technology: 22,
  travel: 12,
  web: 11,
}

describe('the TLD catalogue', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    door = await startDoor(tldRoutes(loadCatalogue()))
  })
  after(() => door.stop())

  /** The body of a successful answer, which must match the schema of the contract exactly. */
  const ask = async <S extends z.ZodObject>(path: string, shape: S): Promise<z.output<S>> => {
    const { status, body } = await door.get(path)
    assert.equal(status, 200, path)
    return shape.strict().parse(body) as z.output<S>
  }
  const assertRejected = async (path: string, error: string, message: RegExp | string) => {
    const { status, body } = await door.get(path)
    const { error: code, message: sentence } = body as { error: string; message: string }
    assert.deepEqual([status, code], [400, error], path)
    if (typeof message === 'string') assert.equal(sentence, message)
    else assert.match(sentence, message)
  }

  test('without parameters: 511 TLDs in alphabetical order and all 15 categories with their counts', async () => {
    const { total, categories, all } = await ask('/v1/tlds', TldOverview)
    assert.equal(total, 511)
    assert.equal(new Set(all).size, 511)
    assert.deepEqual(all, all.toSorted())
    assert.deepEqual(Object.fromEntries(categories.map(({ name, count }) => [name, count])), COUNTS)
    for (const { tlds, count, label, description } of categories) {
      assert.equal(new Set(tlds).size, count)
      assert.ok(tlds.every((tld) => all.includes(tld)))
      assert.ok(label.length > 0 && description.length > 0)
    }
  })

  test('with a category: only that one, and total is its count', async () => {
    for (const [name, count] of Object.entries(COUNTS)) {
      const { total, categories } = await ask(`/v1/tlds?category=${name}`, TldCategoryAnswer)
      assert.equal(total, count)
      assert.equal(categories.length, 1)
      assert.deepEqual([categories[0]?.name, categories[0]?.count, categories[0]?.tlds.length], [name, count, count])
    }
  })

  test('with a type: a flat list with the categories of each TLD', async () => {
    const generic = await ask('/v1/tlds?type=gTLD', TldList)
    const country = await ask('/v1/tlds?type=ccTLD', TldList)
    assert.deepEqual([generic.total, country.total], [generic.tlds.length, country.tlds.length])
    assert.equal(generic.total + country.total, 511)
    assert.ok(generic.tlds.every(({ type }) => type === 'gTLD'))
    assert.ok(country.tlds.every(({ type, tld }) => type === 'ccTLD' && tld.length === 2))
    assert.deepEqual(
      generic.tlds.find(({ tld }) => tld === 'app'),
      {
        tld: 'app',
        type: 'gTLD',
        rdapServer: 'https://pubapi.registry.google/rdap/',
        categories: ['top20', 'technology'],
        enabled: true,
      },
    )
    // Without RDAP the field is an empty string.
    assert.equal(country.tlds.find(({ tld }) => tld === 'at')?.rdapServer, '')
  })

  test('with type and category: the flat list of the TLDs in both', async () => {
    const both = await ask('/v1/tlds?type=ccTLD&category=top20', TldList)
    assert.deepEqual(
      both.tlds.map(({ tld }) => tld),
      ['ai', 'co', 'gg', 'io', 'me'],
    )
    assert.equal(both.total, 5)
    assert.deepEqual(await ask('/v1/tlds?type=ccTLD&category=food', TldList), { total: 0, tlds: [] })
  })

  test('spaces around values, empty parameters and unknown ones are ignored', async () => {
    assert.equal((await ask('/v1/tlds?category=%20top20%20', TldCategoryAnswer)).total, 20)
    assert.equal((await ask('/v1/tlds?type=&category=', TldOverview)).total, 511)
    assert.equal((await ask('/v1/tlds?unheard=of', TldOverview)).total, 511)
  })

  test('an unknown type is invalid_type, and the message names both types', async () => {
    await assertRejected('/v1/tlds?type=sTLD', 'invalid_type', 'type must be one of gTLD, ccTLD, not "sTLD".')
    await assertRejected('/v1/tlds?type=g', 'invalid_type', /gTLD, ccTLD/)
    await assertRejected('/v1/tlds?type=gTLD&type=ccTLD', 'invalid_type', /more than once/)
    await assertRejected('/v1/tlds?type=g%00TLD', 'invalid_type', /control character/)
    await assertRejected(`/v1/tlds?type=${'x'.repeat(2000)}`, 'invalid_type', /^.{1,200}$/)
  })

  test('an unknown category is invalid_category, and the message lists all categories', async () => {
    await assertRejected('/v1/tlds?category=pets', 'invalid_category', /one of top20, business, .*, web, not "pets"\.$/)
    await assertRejected('/v1/tlds?category=TOP21', 'invalid_category', /top20/)
    await assertRejected('/v1/tlds?category=__proto__', 'invalid_category', /top20/)
    await assertRejected('/v1/tlds?category=web&category=web', 'invalid_category', /more than once/)
    await assertRejected('/v1/tlds?type=gTLD&category=pets', 'invalid_category', /top20/)
  })

  test('the unversioned path answers in the old format, without categories, marked as deprecated', async () => {
    const { count, tlds } = await ask('/tlds', LegacyTldList)
    assert.equal(count, 511)
    assert.deepEqual(
      tlds.map(({ tld }) => tld),
      loadCatalogue().all,
    )
    for (const info of tlds) assert.deepEqual(Object.keys(info), ['tld', 'type', 'rdapServer', 'enabled'])
    const { headers } = await door.get('/tlds')
    assert.ok(headers.has('deprecation'))
    assert.match(headers.get('link') ?? '', /<\/v1\/tlds>; rel="successor-version"/)
    assert.equal((await door.get('/v1/tlds')).headers.has('deprecation'), false)
  })

  test('internal fields of the catalogue are not in the answer', async () => {
    for (const path of ['/v1/tlds', '/v1/tlds?type=ccTLD', '/tlds']) {
      assert.doesNotMatch((await door.get(path)).text, /whois\.|rdapFrom|lookup/)
    }
  })

  test('answers are cacheable for an hour', async () => {
    assert.match((await door.get('/v1/tlds?category=web')).headers.get('cache-control') ?? '', /max-age=3600/)
  })

  test('the examples of the contract match the real answers', async () => {
    assert.deepEqual((await door.get('/v1/tlds?category=web')).body, listTlds.example.output)
    const real = await ask('/tlds', LegacyTldList)
    assert.equal(listTldsLegacy.example.output.count, real.count)
    for (const shown of listTldsLegacy.example.output.tlds) {
      assert.deepEqual(
        shown,
        real.tlds.find(({ tld }) => tld === shown.tld),
      )
    }
  })
})

test('equal parameters get the same frozen object', async () => {
  const [route] = tldRoutes(loadCatalogue())
  const context = { signal: new AbortController().signal, requestId: 'test', client: 'test', spend: unlimited }
  for (const question of [{}, { category: 'web' }, { type: 'gTLD' }, { type: 'gTLD', category: 'web' }]) {
    const answer = await route?.run(question, context)
    assert.equal(await route?.run({ ...question }, context), answer)
    assertFrozen(answer)
  }
})

function assertFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  assert.ok(Object.isFrozen(value))
  for (const part of Object.values(value)) assertFrozen(part)
}

describe('the catalogue', () => {
  const catalogue = loadCatalogue()
  test('is loaded once', () => assert.equal(loadCatalogue(), catalogue))
  test('has the deciding source of each TLD', () => {
    const counts = Object.groupBy(catalogue.tlds, ({ lookup }) => lookup)
    assert.deepEqual(
      catalogue.tlds.filter(({ lookup }) => lookup === 'dns').map(({ tld }) => tld),
      ['es', 'gr', 'vn'],
    )
    assert.deepEqual([counts.rdap?.length, counts.whois?.length], [463, 45])
  })
  test('finds a TLD or suffix by its exact name only', () => {
    assert.equal(catalogue.find('com')?.rdapFrom, 'iana')
    assert.equal(catalogue.find('io')?.rdapFrom, 'ours')
    assert.equal(catalogue.find('constructor'), undefined)
    assert.equal(catalogue.suffixes.has('com'), true)
    assert.deepEqual([...catalogue.suffixes], [...catalogue.all, ...catalogue.secondLevel.map(({ tld }) => tld)])
    assert.equal(catalogue.find('gov.uk'), undefined)
    assert.equal(catalogue.all.length, 511)
  })
  test('a suffix has the servers of its TLD, unless its registry is another one', () => {
    const { tld: _tld, categories: _categories, ...uk } = catalogue.find('uk')!
    const { tld: _suffix, categories: _none, ...coUk } = catalogue.find('co.uk')!
    assert.deepEqual(coUk, uk)
    // A registry that does not know the name would answer as if it were available.
    const own = ({ registry, rdapServer, whoisServer }: Tld) => [registry, rdapServer, whoisServer]
    assert.deepEqual(own(catalogue.find('uk.com')!), ['uk.com', '', 'whois.centralnic.net'])
    assert.deepEqual(own(catalogue.find('co.za')!), ['co.za', '', 'whois.registry.net.za'])
    assert.deepEqual(own(catalogue.find('com.br')!), ['br', 'https://rdap.registro.br/', 'whois.registro.br'])
  })
  test('has https RDAP servers, except for .ng', () => {
    const plain = catalogue.tlds.filter(({ rdapServer }) => rdapServer.startsWith('http:'))
    assert.deepEqual(
      plain.map(({ tld }) => tld),
      ['ng'],
    )
  })
})

test('a data file that violates the contract is rejected with the reason', async () => {
  const { readFile } = await import('node:fs/promises')
  const good = await readFile(new URL('../../data/tlds.json', import.meta.url), 'utf8')
  type Loose = {
    tlds: Record<string, unknown>[]
    categories: { name: string; tlds: string[] }[]
    suffixes: Record<string, unknown>[]
    plainHttp: string[]
  }
  const broken: [string, (file: Loose) => void][] = [
    ['it has 510 TLDs, not 511', (file) => file.tlds.pop()],
    ['it lists a TLD twice', (file) => file.tlds.push({ ...file.tlds[0] })],
    [
      'its TLDs are not in alphabetical order',
      (file) => file.tlds.sort((one, other) => (String(one['tld']) < String(other['tld']) ? 1 : -1)),
    ],
    ['category top20 has 19 TLDs, not 20', (file) => file.categories[0]?.tlds.pop()],
    ['category top20 has a TLD twice', (file) => file.categories[0]?.tlds.splice(0, 1, 'net')],
    ['it mentions .nowhere, which is not one of its TLDs', (file) => file.categories[0]?.tlds.splice(0, 1, 'nowhere')],
    ['its categories are ', (file) => file.categories.pop()],
    ['ng has RDAP without https', (file) => file.plainHttp.pop()],
    ['ac has only one of server and source', (file) => delete file.tlds[0]?.['rdapFrom']],
    ['wrong at tlds.0.rdapServer: is not the base URL', (file) => (file.tlds[0]!['rdapServer'] = 'https://10.0.0.1/')],
    ['it lists a suffix twice', (file) => file.suffixes.push({ ...file.suffixes[0] })],
    ['co.fr is not below .de', (file) => file.suffixes.push({ tld: 'de', suffixes: ['co.fr'] })],
    ['co.zz has neither servers nor', (file) => file.suffixes.push({ tld: 'zz', suffixes: ['co.zz'] })],
    ['co.de has neither', (file) => file.suffixes.push({ tld: 'de', ownRegistry: true, suffixes: ['co.de'] })],
    ['is not a suffix of two labels', (file) => file.suffixes.push({ tld: 'uk', suffixes: ['uk'] })],
    ['wrong at tlds.0.whoisServer: is not a host', (file) => (file.tlds[0]!['whoisServer'] = 'whois.nic.ac\r\n')],
  ]
  for (const [message, corrupt] of broken) {
    const file = JSON.parse(good) as Loose
    corrupt(file)
    assert.throws(
      () => parseCatalogue(JSON.stringify(file)),
      (error: Error) => error.message.includes(message),
      message,
    )
  }
  assert.throws(() => parseCatalogue('<html>'), /not JSON/)
})

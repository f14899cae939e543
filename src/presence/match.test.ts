import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { type Match, parseMatch } from './match.ts'
import { parseName } from './name.ts'
import { organisationsIn, signalsOf, topMatchesOf } from './signals.ts'

const read = (name: string, url: string, title = '', snippet = ''): Match =>
  parseMatch(parseName(name)!, { title, url, snippet })!

suite('a search result', () => {
  test('is exact by domain, handle or title, loose by a mention, otherwise no match', () => {
    const rows: [string, string, string, string, Match['closeness']][] = [
      ['orla vent', 'https://www.orlavent.co.uk/x', 'Home', '', 'exact'],
      ['orlavent.com', 'https://orlavent.com/', 'Home', '', 'exact'],
      ['müller kamp', 'https://muellerkamp.de/', 'Start', '', 'exact'],
      ['桜庵堂', 'https://桜庵堂.jp/', 'ようこそ', '', 'exact'],
      ['orlavent', 'https://orlavent.github.io/', 'Docs', '', 'exact'],
      ['orlavent', 'https://github.com/Orla-Vent', 'Code', '', 'exact'],
      ['orlavent', 'https://paper.example/1', 'What Orlavent did next', '', 'exact'],
      ['orlavent', 'https://paper.example/1', 'News', 'said Orlavent', 'loose'],
      ['orlavent', 'https://paper.example/orlavents', 'News', '', 'loose'],
      ['orlavent', 'https://paper.example/1', 'News', 'of the day', 'none'],
      ['orlavent', 'https://github.io/', 'News', '', 'none'],
    ]
    for (const [name, url, title, snippet, closeness] of rows)
      assert.equal(read(name, url, title, snippet).closeness, closeness, url + title)
  })

  test('has the type of its site, otherwise that of its words', () => {
    const rows: [string, string, string, Match['type']][] = [
      ['https://orlavent.io/', 'Orlavent', 'Buy our app', 'domain'],
      ['https://www.linkedin.com/company/orlavent', 'Orlavent', '', 'company'],
      ['https://www.linkedin.com/in/orlavent', 'Orlavent', '', 'brand'],
      ['https://apps.apple.com/app/id1', 'Orlavent', 'by a company', 'product'],
      ['https://x.example/', 'Orlavent GmbH', 'Hersteller von Lampen', 'company'],
      ['https://x.example/', 'Orlavent', 'Download for a good price', 'product'],
      ['https://x.example/', '株式会社Orlavent', '', 'company'],
      ['https://x.example/', 'مؤسسة Orlavent', '', 'company'],
      ['https://x.example/', 'Orlavent', 'A poem', 'brand'],
    ]
    for (const [url, title, snippet, type] of rows)
      assert.equal(read('orlavent', url, title, snippet).type, type, url + title)
    assert.equal(read('blue company', 'https://x.example/', 'The blue company', '').type, 'brand')
  })

  test('has a handle only if its URL has the pattern of a social network', () => {
    const rows: [string, string | null][] = [
      ['https://twitter.com/Orlavent', 'twitter.com/orlavent'],
      ['https://m.facebook.com/orlavent/', 'facebook.com/orlavent'],
      ['https://www.linkedin.com/company/orla-vent/', 'linkedin.com/company/orla-vent'],
      ['https://www.youtube.com/@orlavent', 'youtube.com/@orlavent'],
      ['https://www.tiktok.com/@orlavent', 'tiktok.com/@orlavent'],
      ['https://www.reddit.com/r/orlavent/', 'reddit.com/r/orlavent'],
      ['https://bsky.app/profile/orlavent.bsky.social', 'bsky.app/profile/orlavent'],
      ['https://twitter.com/orlavent/status/1', null],
      ['https://netflix.com/orlavent', null],
      ['https://github.com/other/orlavent', null],
      ['https://www.linkedin.com/in/%22%3E%3Corlavent', null],
      ['https://www.linkedin.com/in/orlavent%0a', null],
    ]
    for (const [url, handle] of rows) assert.equal(read('orlavent', url).handle, handle, url)
    assert.equal(read('search', 'https://x.com/search').handle, null)
  })

  test('names a person only if the text describes one', () => {
    const rows: [string, string, string, string | null][] = [
      ['mira talvane', 'Mira Talvane - Wikipedia', 'Mira Talvane (born 4 May 1961) is …', 'Mira Talvane'],
      ['mira talvane', 'Mira Talvane | Films', 'Talvane is a Danish film director.', 'Mira Talvane'],
      ['mira talvane', 'Mira Talvane', 'Mira Talvane è una cantante.', 'Mira Talvane'],
      ['мира талвен', 'Мира Талвен — Википедия', 'Мира Талвен — советская актриса', 'Мира Талвен'],
      ['月代 蓮太郎', '月代蓮太郎 - Wikipedia', '月代蓮太郎は、日本の小説家。', '月代蓮太郎'],
      ['mira talvane', 'Mira Talvane - Accountant', 'View the profile.', null],
      ['mira talvane', 'Mira Talvane Tours', 'The owner is a singer.', null],
      ['talvane', 'Talvane', 'Talvane is a singer.', null],
      ['green leaf', 'Green Leaf', 'Green Leaf is a producer of tea, a model of care.', null],
      ['green leaf', 'Green Leaf (1998–2004)', 'Green Leaf was a band.', null],
    ]
    for (const [name, title, snippet, person] of rows)
      assert.equal(read(name, 'https://x.example/', title, snippet).person, person, `${title} ${snippet}`)
  })

  test('from a dictionary, an encyclopaedia or a domain for sale does not count as a brand', () => {
    const pages: [string, string, string][] = [
      ['https://www.merriam-webster.com/dictionary/leaf', 'Leaf Definition', ''],
      ['https://en.wikipedia.org/wiki/Leaf', 'Leaf - Wikipedia', 'A part of a plant.'],
      ['https://leaf.com/', 'leaf.com is for sale', 'The domain leaf.com may be for sale.'],
      ['https://sedo.com/search/leaf', 'leaf', ''],
    ]
    const matches = pages.map(([url, title, snippet]) => read('leaf', url, title, snippet))
    assert.ok(matches.every(({ isReference }) => isReference))
    assert.partialDeepStrictEqual(signalsOf(matches, false), { exact_phrase_found: true, brand_exists: false })
    assert.ok(topMatchesOf(matches).every(({ relevance }) => relevance === 'medium'))
    const company = read('leaf', 'https://en.wikipedia.org/wiki/Leaf', 'Leaf - Wikipedia', 'A company founded in 1990.')
    assert.deepEqual([company.isReference, signalsOf([company], false).company_exists], [false, true])
  })

  test('a sentence that contains the name does not count as a brand, a company or a product', () => {
    const match = read('green leaf', 'https://blog.example/1', 'Why a green leaf is good to buy', 'Company, price')
    assert.deepEqual(signalsOf([match], false), {
      exact_phrase_found: true,
      brand_exists: false,
      company_exists: false,
      product_exists: false,
      domain_registered: false,
      social_handles_found: [],
      notable_individuals: [],
    })
  })

  test('the site of a known person does not count as a brand', () => {
    const person = read('mira talvane', 'https://x.example/', 'Mira Talvane', 'Mira Talvane is a Danish singer.')
    const site = read('mira talvane', 'https://miratalvane.com/', 'Mira Talvane', '')
    assert.equal(signalsOf([site], true).brand_exists, true)
    assert.partialDeepStrictEqual(signalsOf([person, site], true), {
      brand_exists: false,
      domain_registered: true,
      notable_individuals: ['Mira Talvane'],
    })
  })

  test('has the kind of organisation that bears the name, by title or host', () => {
    const rows: [string, string, string | null][] = [
      ['https://x.example/', 'Blue Lagoon Resort & Spa – Official Site', 'resort'],
      ['https://x.example/', 'The Blue Lagoon Family Dental', 'dental'],
      ['https://x.example/', 'Town guide | Hotel Blue Lagoon', 'hotel'],
      ['https://bluelagoonbank.com/', 'Personal banking', 'bank'],
      ['https://blue-lagoon-coffee.com/', 'Blue Lagoon Coffee', 'coffee'],
      ['https://x.example/', 'Blue lagoon coffee: a recipe', null],
      ['https://x.example/', 'Hotels near Blue Lagoon', null],
      ['https://x.example/', 'Blue lagoon and the old school', null],
      ['https://x.example/', 'Swimming in a blue lagoon resort', null],
      ['https://en.wikipedia.org/wiki/x', 'Blue Lagoon Hotel - Wikipedia', null],
      ['https://forum.example/t/1', 'Blue Lagoon Hotel', null],
    ]
    for (const [url, title, kind] of rows) assert.equal(read('blue lagoon', url, title).organisation, kind, url + title)
    assert.equal(read('云栎', 'https://x.example/', '云栎酒店').organisation, '酒店')
  })

  test('an organisation counts once, and two of one kind count twice only if each has its own host', () => {
    const count = (...pages: [string, string][]) =>
      organisationsIn(pages.map(([url, title]) => read('blue lagoon', url, title)))
    const [own, entry] = ['https://bluelagoonhotel.com/', 'https://guide.example/1']
    assert.equal(count([own, 'Blue Lagoon Hotel'], [entry, 'Blue Lagoon Hotel, Ellery']), 1)
    assert.equal(count([own, 'Blue Lagoon Hotel'], [entry, 'Blue Lagoon Bank']), 2)
    assert.equal(count([own, 'Blue Lagoon Hotel'], ['https://bluelagoon-ellery.com/', 'Hotel Blue Lagoon']), 2)
  })

  test('from a forum, a question or a post does not count as a brand or a company, and is not a top match', () => {
    const pages: [string, string, string?][] = [
      ['https://forum.example/viewtopic.php?t=1', 'Orlavent', 'A company founded in 1990'],
      ['https://x.example/threads/orlavent.12/', 'Orlavent'],
      ['https://x.example/t/orlavent/881', 'Orlavent - General'],
      ['https://www.reddit.com/r/boats/comments/1/x/', 'Orlavent, Inc. : r/boats'],
      ['https://www.reddit.com/r/orlavent/', 'Orlavent'],
      ['https://diy.stackexchange.com/questions/1/x', 'Orlavent'],
      ['https://x.com/somebody/status/1', 'Orlavent'],
      ['https://www.facebook.com/groups/1/posts/2', 'Orlavent | Facebook'],
      ['https://x.example/1', 'Orlavent - Page 2'],
      ['https://x.example/1', 'Re: Orlavent'],
      ['https://x.example/1', 'Orlavent?'],
      ['https://x.example/1', 'Orlavent', '14 replies'],
    ]
    for (const [url, title, snippet] of pages) {
      const match = read('orlavent', url, title, snippet)
      const { brand_exists, company_exists, exact_phrase_found } = signalsOf([match], false)
      assert.deepEqual([brand_exists, company_exists, exact_phrase_found], [false, false, true], url + title)
      assert.deepEqual(topMatchesOf([match]), [], url + title)
    }
    const others: [string, string][] = [
      ['https://community.orlavent.com/t/x/1', 'Orlavent Community'],
      ['https://www.linkedin.com/company/orlavent/about', 'Orlavent | LinkedIn'],
      ['https://x.example/', 'Tired of rain? Orlavent GmbH'],
    ]
    for (const [url, title] of others) assert.equal(read('orlavent', url, title).isPost, false, url)
  })

  test('top matches are at most five, best first, without results that do not match', () => {
    const matches = [
      read('orlavent', 'https://x.example/1', 'Nothing'),
      read('orlavent', 'https://x.example/2', 'News', 'of Orlavent'),
      read('orlavent', 'https://x.example/3', 'Why Orlavent grew'),
      read('orlavent', 'https://x.example/4', 'Orlavent, Inc.'),
      ...Array.from({ length: 4 }, (_, at) => read('orlavent', `https://orlavent.com/${at}`)),
    ]
    assert.deepEqual(
      topMatchesOf(matches).map(({ relevance, url }) => [relevance, url.slice(8, 17)]),
      [
        ['high', 'x.example'],
        ['high', 'orlavent.'],
        ['high', 'orlavent.'],
        ['high', 'orlavent.'],
        ['high', 'orlavent.'],
      ],
    )
    assert.deepEqual(
      topMatchesOf(matches.slice(0, 4)).map(({ relevance }) => relevance),
      ['high', 'medium', 'low'],
    )
  })

  test('any text is parsed, and a URL that is not http or https is skipped', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 })
    const host = fc.constantFrom(
      'x.example',
      'www.linkedin.com',
      'xn--80aa0ae6d.com',
      '10.0.0.1',
      '[::1]:8080',
      'localhost',
    )
    fc.assert(
      fc.property(text, text, host, text, (title, snippet, at, path) => {
        const url = `https://${at}/${encodeURIComponent(path)}`
        const match = read('mira talvane', url, title, snippet)
        assert.equal(match.url, url)
        assert.ok(match.closeness !== 'none' || match.relevance === 'low')
      }),
    )
    for (const url of ['javascript:alert(1)', 'ftp://x.example/', 'nonsense', ''])
      assert.equal(parseMatch(parseName('x')!, { title: 'x', url, snippet: '' }), null)
  })

  test('a very long text does not block the parser', () => {
    for (const piece of ['is a aaaa ', 'born (', 'domain ', '年月', 'é-']) {
      const long = piece.repeat(200_000 / piece.length)
      read('mira talvane', 'https://x.example/', `Mira Talvane ${long}`, long)
    }
  })
})

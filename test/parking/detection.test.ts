import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { document, evidenceOf, navigation, prose, type Draft } from './making.ts'
import { detectParking } from '../../src/intel/detection.ts'

const judge = (draft: Partial<Draft>) => detectParking(evidenceOf({ host: 'example.com', html: '', ...draft }))
const KEY = 'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMadeUpForOurTestsOnly'

suite('each signal is detected and reported by name', () => {
  const cases: [string, string, Partial<Draft>][] = [
    [
      'parking_script',
      'the key for ad blockers on the root',
      { html: `<html data-adblockkey="${KEY}"><body></body></html>` },
    ],
    [
      'parking_script',
      'the key in the first response only',
      { firstBody: `<html data-adblockkey=${KEY}_x>`, html: '<p>Loading</p>' },
    ],
    ['parking_script', 'a variable of a lander', { html: '<script>window.LANDER_SYSTEM="PW"</script>' }],
    ['parking_script', 'a host that was loaded', { html: '<p>x</p>', hosts: ['example.com', 'img.sedoparking.com'] }],
    [
      'ad_heavy',
      'advertising for domains',
      { html: '<script src="//www.google.com/adsense/domains/caf.js"></script>' },
    ],
    [
      'ad_heavy',
      'a heading over paid links',
      { html: '<h1>example.com</h1><h2>Related searches</h2><a href="/s?q=a">A</a>' },
    ],
    ['for_sale', 'a marketplace that names it', { finalUrl: 'https://www.afternic.com/forsale/example.com' }],
    [
      'for_sale',
      'a link to its sale',
      { html: '<a href="https://sedo.com/search/details/?domain=example.com">More</a>' },
    ],
    ['for_sale', 'the title', { html: document('example.com is for sale', '<p>Hello</p>') }],
    ['for_sale', 'a title in another spelling of the name', { html: document('Exämple.com is for sale', '<p>Hi</p>') }],
    ['lander_redirect', 'a script that leads to a lander', { html: '<script>window.location.href="/lander"</script>' }],
    [
      'for_sale',
      'a frame around its page at a marketplace',
      { html: '<frameset><frame src="//sedo.com/search/details/?domain=example.com"></frameset>' },
    ],
    [
      'for_sale',
      'a refresh that would lead there',
      { html: '<meta http-equiv="refresh" content="0;url=https://dan.com/buy-domain/example.com">' },
    ],
    [
      'for_sale',
      'a script redirect in the first response',
      { firstBody: "<script>top.location.replace('https://www.afternic.com/forsale/example.com')</script>" },
    ],
    [
      'lander_redirect',
      'a frame with a lander of an unknown service',
      { html: '<iframe src="https://names.example/for-sale/example.com"></iframe>' },
    ],
    [
      'registrar_landing',
      'the default page of a hoster that speaks to its customer',
      { html: '<p>This is a placeholder page. Are you the owner of this website? Upload your files.</p>' },
    ],
    ['lander_redirect', 'a numbered host', { finalUrl: 'http://ww25.example.com/' }],
    ['registrar_landing', 'words of a registrar', { html: '<p>This domain was recently registered at Lindqvist.</p>' }],
    ['parking_nameserver', 'a name server', { nameservers: ['ns1.bodis.com'] }],
    ['parking_address', 'an address', { addresses: ['199.59.243.1'] }],
    ['generic_content', 'nothing but its name', { html: document('example.com', '<h1>example.com</h1>') }],
  ]
  for (const [signal, name, draft] of cases)
    test(`${signal}: ${name}`, () => assert.ok(judge(draft).signals.includes(signal), JSON.stringify(judge(draft))))
})

test('the strongest signal comes first, and parked agrees with the confidence', () => {
  const verdict = judge({
    html: document('example.com', '<p>Hello</p>', { root: ` data-adblockkey="${KEY}"` }),
    addresses: ['199.59.243.1'],
  })
  assert.deepEqual(verdict, { parked: true, confidence: verdict.confidence, signals: verdict.signals })
  assert.deepEqual(verdict.signals, ['parking_script', 'parking_address', 'generic_content'])
  assert.ok(verdict.confidence > 0.9 && verdict.confidence <= 0.99)
})

suite('a name in use is not parked', () => {
  const cases: [string, Partial<Draft>][] = [
    ['an empty answer', {}],
    ['a theme that uses the same attribute for its own test', { html: '<div data-adblockkey="200"></div><p>News</p>' }],
    ['an attribute that is no key', { html: `<html data-adblockkey="200">${document('News', '<p>Rain</p>')}` }],
    [
      'code of a lander shown as text',
      { html: `<pre>&lt;html data-adblockkey="${KEY}"&gt; window.LANDER_SYSTEM caf.js</pre>` },
    ],
    [
      'name servers of an ordinary registrar',
      { html: '<p>Hi</p>', nameservers: ['dns1.registrar-servers.com'], addresses: ['3.33.130.190'] },
    ],
    [
      'a marketplace on its own name',
      {
        host: 'dan.com',
        html: document('Buy this domain', navigation(12) + prose('dan', 300)),
        nameservers: ['ns1.dan.com'],
        hosts: ['dan.com', 'undeveloped.com'],
      },
    ],
    [
      'an old name that leads to the home of a marketplace',
      { finalUrl: 'https://www.atom.com/', html: document('Atom', prose('atom', 200)) },
    ],
    ['an error of a server', { status: 404, html: document('404', '<h1>404 Not Found</h1>') }],
    [
      'a site of its own that says it is for sale',
      {
        html: document(
          'A diary',
          `${navigation(12)}<p>${prose('diary', 700)}</p><footer>This domain is for sale.</footer>`,
        ),
      },
    ],
    [
      'a small site with a line in its footer',
      {
        html: document('Bees', `<h1>Bees</h1><p>${prose('bees', 40)}</p><footer>This domain may be for sale.</footer>`),
      },
    ],
    [
      'the same at its end, in no footer',
      {
        html: document('Bees', `<h1>Bees</h1><p>${prose('bees', 40)}</p><p>example.com may be for sale, mail me.</p>`),
      },
    ],
    [
      'a footer that links to its sale',
      {
        html: document(
          'Bees',
          `<p>${prose('bees', 60)}</p><div id="footer"><a href="https://sedo.com/search/details/?domain=example.com">This domain is for sale</a></div>`,
        ),
      },
    ],
    ['a name that is not for sale', { html: document('No', '<h1>No</h1><p>This domain is not for sale.</p>') }],
    [
      'an article that is called by the statement itself',
      {
        html: document(
          'This domain is for sale: what that means',
          `<article><h1>This domain is for sale: what that means</h1><p>${prose('means', 120)}</p></article>`,
        ),
      },
    ],
    [
      'a frame around somebody’s own pages elsewhere',
      { html: '<frameset><frame src="https://sites.example/~holm/"></frameset>' },
    ],
    [
      'a widget that is told the name',
      { html: '<p>Rooms</p><iframe src="https://booking.example/?site=example.com"></iframe>' },
    ],
    [
      'even when its title says so',
      { html: document('example.com is for sale', `${navigation(14)}<p>${prose('diary', 700)}</p>`) },
    ],
  ]
  for (const [name, draft] of cases)
    test(name, () => assert.equal(judge(draft).parked, false, JSON.stringify(judge(draft))))
})

test('more content of its own never raises the confidence', () => {
  const statements = [
    'This domain is for sale',
    'example.com is parked',
    'Related searches',
    'Diese Domain ist abgelaufen',
    'Hello',
    '',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom('example.com', 'example.com is for sale', 'Domain for sale', 'A diary'),
      fc.constantFrom(...statements),
      fc.integer({ min: 200, max: 900 }),
      fc.integer({ min: 6, max: 16 }),
      (title, statement, words, links) => {
        const bare = judge({ html: document(title, `<p>${statement}</p>`) })
        const full = judge({
          html: document(title, `<p>${statement}</p>${navigation(links)}<p>${prose(title, words)}</p>`),
        })
        assert.ok(full.confidence <= bare.confidence, `${bare.confidence} became ${full.confidence}`)
      },
    ),
  )
})

test('any page, redirect and DNS data get a verdict', () => {
  const url = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'https://',
      '//',
      'https://ww1.example.com/lander',
      'http://www.sedo.com/?domain=',
      'data:text/html,x',
      'https://[::1]/?a=%',
    ),
  )
  const html = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '<a href=',
          '<h1>',
          'domain',
          ' for sale ',
          'example.com',
          '<script>',
          '\n',
          '&amp;',
          '域名',
          '出售',
          '"',
          '>',
        ),
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(
      fc.string(),
      html,
      html,
      url,
      fc.array(url, { maxLength: 4 }),
      fc.integer(),
      fc.array(fc.string(), { maxLength: 3 }),
      (host, html, firstBody, finalUrl, hops, status, names) => {
        const verdict = detectParking({
          host,
          nameservers: names,
          addresses: names,
          capture: { finalUrl, hops, status, firstBody, html, title: host, text: html, hosts: names },
        })
        assert.ok(verdict.confidence >= 0.01 && verdict.confidence <= 0.99)
        assert.equal(verdict.parked, verdict.confidence >= 0.5)
      },
    ),
  )
})

/** Inputs on which a quadratic parser or regular expression would not finish. */
suite('hostile pages of the maximum length get a verdict', () => {
  const LONG = 400_000
  const shapes: [string, string][] = [
    ['less-than signs that open no tag', '<'],
    ['elements that are never closed', '<b>'],
    ['closing tags that match no open element', '<b></x>'],
    ['tags without an end', '<a '],
    ['quotes without an end', '<a href="'],
    ['slashes', '<a href="////////'],
    ['spaces', ' '],
    ['ends of scripts without a beginning', '</script'],
    ['comments in comments', '<!--'],
    ['the same statement', 'this domain is for sale example.com '],
    ['entities', '&#x41;&amp'],
    ['marks on letters', 'ü\u0308'],
    ['footers in footers', '<div class="footer">x'],
    ['frames', '<frame src="https://sedo.com/?domain=example.com">'],
    ['redirects without an end', 'location.href="'],
    ['quotes around statements', '"this domain is for sale '],
    ['statements that are denied', 'if this domain is not for sale '],
    ['a writing without spaces', 'โดเมนนี้ไม่ขาย'],
  ]
  for (const [name, unit] of shapes)
    test(name, () => {
      const html = unit.repeat(Math.ceil(LONG / unit.length))
      const { capture, ...rest } = evidenceOf({ host: 'example.com', html: '' })
      const verdict = detectParking({
        ...rest,
        capture: { ...capture, html: `<p>${html}`, firstBody: `<script>${html}`, text: html },
      })
      assert.equal(typeof verdict.parked, 'boolean')
    })
})

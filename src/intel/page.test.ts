import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CHARACTERS_PER_STEP, parsePage, parsePageInSteps } from './page.ts'

suite('the parts of a document', () => {
  const cases: [string, string, Partial<ReturnType<typeof parsePage>>][] = [
    ['tags in any case', '<HTML><TITLE>A</TITLE><BODY><P>One<BR>Two</P></BODY>', { title: 'A', text: 'One\nTwo' }],
    ['entities', '<p>Fr&uuml;h &amp; sp&#228;t &#x20ac; &nope; &lt;b&gt;</p>', { text: 'Früh & spät € &nope; <b>' }],
    ['comments are left out', '<p>a<!-- for sale --><b>b</b></p><!-- open', { text: 'ab' }],
    [
      'scripts and styles are not text',
      '<script>var a="<p>no"</script><style>p{}</style><p>yes',
      { text: 'yes', scripts: 'var a="<p>no"' },
    ],
    ['text for browsers without scripts is left out', '<noscript>Enable it</noscript><p>app</p>', { text: 'app' }],
    ['a title without an end', '<title>everything', { title: 'everything', text: '' }],
    ['line breaks of the source are spaces', '<p>this\n  domain</p>', { text: 'this domain' }],
    ['a refresh', `<meta HTTP-EQUIV=refresh content="0; URL='/lander'">`, { refresh: '/lander' }],
    [
      'attributes without quotes',
      '<html data-adblockkey=MFww== lang=en>',
      { root: ['data-adblockkey=MFww==', 'lang=en'] },
    ],
    [
      'resources',
      '<script src="/a.js"></script><img src=b.png><link href="c.css">',
      { resources: ['/a.js', 'b.png', 'c.css'] },
    ],
    [
      'links',
      '<a href="/x?a=1&amp;b=2">One <b>two</b></a> three',
      { links: [{ href: '/x?a=1&b=2', text: 'One two' }] },
    ],
    [
      'blocks: headings, footers, and text outside of links',
      '<h1>Big</h1><p>See <a href="/x">this</a> now</p><div class="site-footer"><div>In</div>side</div><p>Out</p>',
      {
        blocks: [
          { text: 'Big', outsideLinks: 'Big', isHeading: true, isAside: false },
          { text: 'See this now', outsideLinks: 'See now', isHeading: false, isAside: false },
          { text: 'In', outsideLinks: 'In', isHeading: false, isAside: true },
          { text: 'side', outsideLinks: 'side', isHeading: false, isAside: true },
          { text: 'Out', outsideLinks: 'Out', isHeading: false, isAside: false },
        ],
      },
    ],
    [
      'frames, which are resources too',
      '<frameset><frame src=//a.example/x></frameset><iframe src="b.html"><p>no</p></iframe>',
      { frames: ['//a.example/x', 'b.html'], resources: ['//a.example/x', 'b.html'] },
    ],
    [
      'a refresh',
      '<meta http-equiv=Refresh content="3; URL = \'https://a.example/\'">',
      { refresh: 'https://a.example/' },
    ],
    ['an article by its element', '<article>x</article>', { isArticle: true }],
    ['an article by its JSON-LD', '<script>{"@type": "NewsArticle"}</script>', { isArticle: true }],
    ['no article', '<meta property="og:type" content="website">', { isArticle: false }],
    ['a less-than sign that opens no tag', '<p>1 < 2 and 3</p>', { text: '1 < 2 and 3' }],
    ['soft hyphens are removed', '<p>do&shy;main and do\u00admain</p>', { text: 'domain and domain' }],
    [
      'the title of an image is not the title of the page',
      '<svg><title>Logo</title></svg><p>x',
      { title: '', text: 'x' },
    ],
    ['a description', '<meta name="Description" content="About&nbsp;us">', { description: 'About us' }],
  ]
  for (const [name, html, expected] of cases)
    test(name, () => {
      const page = parsePage(html)
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(page[key as keyof typeof page], value)
    })
})

test('a document nested deeper than the limit is parsed up to there', () => {
  const page = parsePage(`<title>Deep</title><p>before${'<b>'.repeat(700)}beyond</p><p>after`)
  assert.equal(page.title, 'Deep')
  assert.equal(page.text, 'before')
})

test('elements that are closed do not count towards the depth', () => {
  assert.equal(
    parsePage(`${'<b>x</b><br>'.repeat(1_000)}<p>after`)
      .text.split('\n')
      .at(-1),
    'after',
  )
})

test('any text is parsed without an error', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '</',
      '<!--',
      '-->',
      '"',
      "'",
      '=',
      '<a ',
      '<script',
      '</script>',
      '<title>',
      '&#',
      ';',
      '<?',
      '<svg>',
      '</svg>',
      '\0',
    ),
    fc.string(),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const page = parsePage(pieces.join(''))
      assert.equal(typeof page.text, 'string')
    }),
  )
})

test('a long page is parsed in steps of bounded size, with the result of one step', async () => {
  const pieces = [
    '<p>word ',
    '</x>',
    '<br>',
    '<b>',
    '&amp;',
    '<a href="/x">',
    '<script>let a = "</p>"</script>',
    '\u00ad',
    '<!-- ',
  ]
  const html = fc.array(fc.constantFrom(...pieces), { minLength: 2_000, maxLength: 6_000 }).map((list) => list.join(''))
  await fc.assert(
    fc.asyncProperty(html, fc.integer({ min: 1, max: CHARACTERS_PER_STEP }), async (text, shift) => {
      let turns = 0
      const page = await parsePageInSteps(text, async () => void turns++)
      assert.deepEqual(page, parsePage(text))
      assert.deepEqual(page, parsePage(`${' '.repeat(shift)}${text}`), 'wherever the steps end')
      // Parsing stops where the nesting is too deep; the text is joined in steps, too.
      assert.ok(turns <= Math.ceil(text.length / CHARACTERS_PER_STEP) + Math.ceil(text.length / 1_000))
    }),
    { numRuns: 30 },
  )
  let turns = 0
  await parsePageInSteps(`<p>${'word </x>'.repeat(60_000)}`, async () => void turns++)
  assert.ok(turns >= 540_000 / CHARACTERS_PER_STEP, `${turns} turns`)
})

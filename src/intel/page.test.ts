import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { readPage } from './page.ts'

suite('a document is read', () => {
  const cases: [string, string, Partial<ReturnType<typeof readPage>>][] = [
    ['tags in any case', '<HTML><TITLE>A</TITLE><BODY><P>One<BR>Two</P></BODY>', { title: 'A', text: 'One\nTwo' }],
    ['entities', '<p>Fr&uuml;h &amp; sp&#228;t &#x20ac; &nope; &lt;b&gt;</p>', { text: 'Früh & spät € &nope; <b>' }],
    ['comments are not shown', '<p>a<!-- for sale --><b>b</b></p><!-- open', { text: 'ab' }],
    [
      'scripts and styles apart',
      '<script>var a="<p>no"</script><style>p{}</style><p>yes',
      { text: 'yes', scripts: 'var a="<p>no"' },
    ],
    ['what is shown without scripts only', '<noscript>Enable it</noscript><p>app</p>', { text: 'app' }],
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
    ['headings', '<h1>Big</h1><p>small</p><h2>Less <i>big</i></h2>', { headings: 'Big\nLess big' }],
    ['a sign that opens nothing', '<p>1 < 2 and 3</p>', { text: '1 < 2 and 3' }],
    ['a description', '<meta name="Description" content="About&nbsp;us">', { description: 'About us' }],
  ]
  for (const [name, html, expected] of cases)
    test(name, () => {
      const page = readPage(html)
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(page[key as keyof typeof page], value)
    })
})

test('no document is too strange to be read', () => {
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
      const page = readPage(pieces.join(''))
      assert.equal(typeof page.text, 'string')
    }),
  )
})

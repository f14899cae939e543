import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadGuides } from './guides.ts'
import { renderMarkdown } from './markdown.ts'

const render = (text: string) =>
  renderMarkdown(text, {
    resolveLink: (target) => (target.startsWith('src/') ? null : `/at/${target}`),
    titleOf: (target) => (target === 'b.md' ? 'Guide <b>' : undefined),
    resolveCode: (code) => (code === 'invalid_name' ? '/docs/errors/invalid_name' : undefined),
  })

suite('guides as markup', () => {
  for (const [name, text, html] of [
    ['a block of HTML is shown as text', '<script>alert(1)</script>', /^&lt;script&gt;alert\(1\)&lt;\/script&gt;/],
    ['HTML in a sentence is shown as text', 'a <b onclick="x">b</b>', /a &lt;b onclick=&quot;x&quot;&gt;b&lt;\/b&gt;/],
    ['code is escaped', '```sh\nx "<a>" & y\n```', /<code>x &quot;&lt;a&gt;&quot; &amp; y<\/code>/],
    ['a link leads where it is resolved to', '[a](b.md#c)', /<a href="\/at\/b\.md#c">a<\/a>/],
    ['a link with the name of a file shows the title of the guide', '[b.md](b.md)', />Guide &lt;b&gt;<\/a>/],
    ['a link with words keeps them', '[words](b.md)', />words<\/a>/],
    ['a file that is not served is text without a link', 'see [a `b`](src/b.ts).', /<p>see a <code>b<\/code>\.<\/p>/],
    ['a link cannot break out of its attribute', '[a](<b" onclick="c>)', /href="\/at\/b&quot; onclick=&quot;c"/],
    [
      'code with a page is a link',
      'has `invalid_name`',
      /<a href="\/docs\/errors\/invalid_name"><code>invalid_name<\/code><\/a>/,
    ],
    [
      'a table scrolls in its own frame',
      '| a |\n|---|\n| `b` |',
      /<div class="scroll" tabindex="0"><table>[^]*<td><code>b<\/code><\/td>/,
    ],
    [
      'an empty cell of a header is not a header',
      '| | a |\n|---|---|\n| b | c |',
      /<thead><tr><td><\/td><th scope="col">a<\/th>/,
    ],
  ] as const) {
    test(name, () => assert.match(render(text).html.text, html))
  }

  test('headings have the ids that links between guides use, each once', () => {
    const { headings, html } = render("# A `b`: what's it?\n## Same\n## Same\n")
    assert.deepEqual(
      headings.map(({ id }) => id),
      ['a-b-whats-it', 'same', 'same-1'],
    )
    assert.match(html.text, /<h1 class="head long" id="a-b-whats-it">A <code>b<\/code>: what&#39;s it\?<\/h1>/)
  })

  test('a service installed without the guides has none, and still starts', () => {
    const folder = new URL('./no-such-folder/', import.meta.url)
    const guides = loadGuides({ resolveCode: () => () => undefined, baseUrl: '', folder })
    assert.deepEqual([guides.index, guides.all, guides.sections], [undefined, [], []])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiDomain, expandNames, listProblem, parseNames } from './assets/name-list.js'

const namesIn = (text: string) => parseNames(text).names.map(({ name }) => name)

const lists: [string, string, string[]][] = [
  ['one a line', 'acme.com\nacme.dev', ['acme.com', 'acme.dev']],
  ['a BOM, CRLF, blank lines and spaces', '\uFEFFacme.com\r\n\r\n  acme.dev \r\n', ['acme.com', 'acme.dev']],
  ['line ends of old machines', 'a.com\rb.com', ['a.com', 'b.com']],
  ['repeats, without regard to case', 'acme.com\nACME.com', ['acme.com']],
  ['several names in one line', 'acme, bolt;x, corp', ['acme', 'bolt;x', 'corp']],
  ['a header row', 'Domain\nacme.com', ['acme.com']],
  ['the column under its header', 'id;Domain Name;price\n1;acme.com;3\n2;"acme.dev";4', ['acme.com', 'acme.dev']],
  ['the first column without a header', 'acme.com,12\nacme.dev,13', ['acme.com', 'acme.dev']],
  ['quotes, with a comma and a line end inside', '"acme.com","a, ""b""\nc"\nacme.dev,x', ['acme.com', 'acme.dev']],
  ['addresses of web pages', 'https://acme.com/about?x=1\nhttp://acme.dev', ['acme.com', 'acme.dev']],
  ['the word domain alone', 'domain', ['domain']],
  ['nothing', ' \r\n\t\n', []],
  ['an open quote', '"acme.com\nacme.dev', ['acme.com\nacme.dev']],
]
for (const [what, text, expected] of lists)
  test(`a list may hold ${what}`, () => assert.deepEqual(namesIn(text), expected))

test('a name has the line it stands on, and repeats are counted', () => {
  const { names, repeats } = parseNames('a.com\r\n\r\nb.com\na.com')
  assert.deepEqual(names, [
    { name: 'a.com', line: 1 },
    { name: 'b.com', line: 3 },
  ])
  assert.equal(repeats, 1)
})

test('a name without a TLD stands for one domain under each TLD of the set', () => {
  const { domains } = expandNames(
    [
      { name: 'acme', line: 1 },
      { name: 'ACME.com', line: 2 },
      { name: 'b.de', line: 3 },
    ],
    ['com', 'net'],
  )
  assert.deepEqual(domains, ['acme.com', 'acme.net', 'b.de'])
})

test('domains are sent as the DNS writes them, and what is no domain as it is', () => {
  for (const [given, ascii] of [
    ['Bücher.de', 'xn--bcher-kva.de'],
    ['بيتزا.com', 'xn--mgbbg6a8h.com'],
    ['😀.com', 'xn--e28h.com'],
    ['acme.com.', 'acme.com'],
    ['1.2', '1.2'],
    ['bad ü.com', 'bad ü.com'],
    ['<script>.com', '<script>.com'],
  ] as const)
    assert.equal(asciiDomain(given), ascii)
})

test('an empty list and a list that is too long are refused with a sentence', () => {
  assert.match(listProblem([], 0)!, /^The list is empty/)
  assert.equal(listProblem(Array.from({ length: 10_000 }), 10_000), undefined)
  assert.match(
    listProblem(Array.from({ length: 12_000 }), 600)!,
    /^These are 12,000 domains \(600 names under several TLDs\)/,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../kernel/random.ts'
import type { DasAnswer } from './answer.ts'
import { encodeDchk, parseDchk } from './dchk.ts'
import { formatIsavail, parseCookie, parseIsavail } from './isavail.ts'
import { parseNumberLine } from './number-line.ts'
import { parseSentence } from './sentence.ts'
import { DAS_SERVICES } from './services.ts'
import { parseStatusLines } from './status-lines.ts'
import { parseWordAndName } from './word-and-name.ts'

const DOMAIN = 'acme.test'
const ID = '1234567890'
const dchk = (xml: string, transaction = 7) =>
  Buffer.concat([Buffer.from([0x20, transaction >> 8, transaction & 0xff]), Buffer.from(xml)]).toString('latin1')
const domainXml = (name: string, status: string) =>
  `<?xml version="1.0"?><d:domain><d:domainName>${name}</d:domainName><d:status><d:${status}/></d:status></d:domain>`

type Reader = (text: string) => DasAnswer
const readers: Record<string, Reader> = {
  statusLines: (text) => parseStatusLines(text, DOMAIN),
  numberLine: parseNumberLine,
  sentence: (text) => parseSentence(text, DOMAIN),
  wordAndName: (text) => parseWordAndName(text, DOMAIN),
  isavail: (text) => parseIsavail(text, { id: ID, domain: 'acme.com.br' }),
  dchk: (text) => parseDchk(Buffer.from(text, 'latin1'), DOMAIN, 7),
}

const golden: Record<keyof typeof readers, [string, DasAnswer][]> = {
  statusLines: [
    ['% DAS\r\n\r\nDomain:\tacme.test\r\nRC: 0\r\nStatus:\tAVAILABLE\r\n', 'available'],
    ['Domain: acme\nStatus: AVAILABLE\n', 'available'],
    ['Domain: acme.test\nStatus: available\n', 'available'],
    ['Status: NOT AVAILABLE\r\n', 'not_available'],
    ['Domain: acme.test\r\nStatus: NOT ALLOWED\r\n', 'not_available'],
    ['Domain: acme.test\nStatus: reserved\n', 'not_available'],
    ['RC: -2\r\nStatus: AVAILABLE\r\n', 'rate_limited'],
    ['RC: -3\r\n', 'rate_limited'],
    ['RC: 1\r\nStatus: AVAILABLE\r\n', 'unreadable'],
    ['Domain: other.test\r\nStatus: AVAILABLE\r\n', 'unreadable'],
    ['Status: AVAILABLE\r\nStatus: NOT AVAILABLE\r\n', 'unreadable'],
    ['Status: pendingRelease\n', 'unreadable'],
    ['<html>Status: AVAILABLE</html>', 'unreadable'],
    ['', 'unreadable'],
  ],
  numberLine: [
    ['1: free\r\n', 'available'],
    ['0: not free', 'not_available'],
    ['-1: invalid\r\n', 'unreadable'],
    ['-95: wait\r\n', 'rate_limited'],
    ['-99: error\r\n', 'unreadable'],
    ['1: free\r\n0: not free\r\n', 'unreadable'],
    ['10: something', 'unreadable'],
    ['', 'unreadable'],
  ],
  sentence: [
    ['acme.test is available\r\n', 'available'],
    ['% Finger\r\nDomain acme.test is available for registration.\r\n', 'available'],
    ['acme.test is delegated\r\n', 'not_available'],
    ['other.test is available\r\n', 'unreadable'],
    ['acme.test is not available\r\n', 'unreadable'],
    ['acme.test is available\r\nacme.test is delegated\r\n', 'unreadable'],
    ['Nothing is available at the moment', 'unreadable'],
  ],
  wordAndName: [
    ['free acme.test\n', 'available'],
    ['occupied acme.test', 'not_available'],
    ['not_valid acme.test', 'not_available'],
    ['free other.test', 'unreadable'],
    ['<html>free acme.test</html>', 'unreadable'],
  ],
  isavail: [
    [`CK 5f3c1b7a9d2e4c6f8a0b ${ID}\r\nST 0 ${ID}\r\nacme.com.br\r\n`, 'available'],
    [`ST 1 ${ID}\r\nacme.com.br|55\r\n`, 'not_available'],
    [`ST 2 ${ID}\r\nacme.com.br\r\n20300101|publicado\r\n`, 'not_available'],
    [`ST 3 ${ID}\r\nacme.com.br\r\n`, 'not_available'],
    [`ST 4 ${ID}\r\n`, 'unreadable'],
    [`ST 8 ${ID}\r\n`, 'unreadable'],
    ['ST 0 1\r\nacme.com.br\r\n', 'unreadable'],
    [`ST 0 ${ID}\r\nother.com.br\r\n`, 'unreadable'],
    ['ST 0\r\nacme.com.br\r\n', 'unreadable'],
  ],
  dchk: [
    [dchk(domainXml('acme.test', 'free')), 'available'],
    [dchk(domainXml('ACME.TEST', 'connect')), 'not_available'],
    [dchk(domainXml('acme.test', 'failed')), 'not_available'],
    [dchk(domainXml('acme.test', 'invalid')), 'unreadable'],
    [dchk(domainXml('other.test', 'free')), 'unreadable'],
    [dchk(domainXml('acme.test', 'free'), 8), 'unreadable'],
    [dchk(`<!-- ${domainXml('acme.test', 'free')} -->`), 'unreadable'],
    [dchk(domainXml('acme.test', 'free') + domainXml('acme.test', 'connect')), 'unreadable'],
    [dchk('<i:limitExceeded/>'), 'rate_limited'],
    [domainXml('acme.test', 'free'), 'unreadable'],
    ['', 'unreadable'],
  ],
}

for (const [name, rows] of Object.entries(golden)) {
  test(`${name}: answers are read as they are meant`, () => {
    for (const [text, expected] of rows) assert.equal(readers[name]!(text), expected, JSON.stringify(text))
  })
}

test('no damage to an answer makes a name available', () => {
  const random = seededRandom(19)
  for (const [name, rows] of Object.entries(golden)) {
    const others = rows.filter(([, expected]) => expected !== 'available').map(([text]) => text)
    for (let round = 0; round < 3000; round++) {
      const text = others[random.below(others.length)]!
      const at = random.below(text.length + 1)
      const junk = String.fromCodePoint(...Array.from({ length: random.below(4) }, () => random.below(256)))
      const damaged = text.slice(0, at) + junk + text.slice(at + random.below(6))
      const answer = readers[name]!(damaged)
      assert.ok(['available', 'not_available', 'rate_limited', 'unreadable'].includes(answer))
      if (answer === 'available') assert.match(damaged, SAYS_AVAILABLE[name]!, JSON.stringify(damaged))
    }
  }
})

/** Damage may happen to write what a service says of a free name; nothing else may be read as that. */
const SAYS_AVAILABLE: Record<string, RegExp> = {
  statusLines: /status\s*:\s*(?:available|free)\s*$/im,
  numberLine: /^\s*1:/,
  sentence: /acme(?:\.test)? is available/i,
  wordAndName: /free\s+acme\.test/i,
  isavail: /^ST 0 1234567890/m,
  dchk: /free/,
}

test('queries carry only the name, a cookie and an id', () => {
  assert.equal(
    formatIsavail('acme.com.br', { cookie: '0'.repeat(20), id: ID }),
    `2 ${'0'.repeat(20)} 1 ${ID} acme.com.br`,
  )
  assert.equal(parseCookie('CK 5f3c1b7a9d2e4c6f8a0b 1234567890\r\n'), '5f3c1b7a9d2e4c6f8a0b')
  assert.equal(parseCookie(`CK 5f3c1b7a9d2e4c6f8a0b ${ID}\r\nST 0 ${ID}\r\n`), undefined)
  const query = encodeDchk('acme.de', 0x0102, 'dchk.denic.de')
  assert.deepEqual([...query.subarray(0, 6)], [0, 1, 2, 0x0f, 0xa0, 13])
  assert.match(query.toString('latin1', 6), /^dchk\.denic\.de<.*entityName="acme\.de"/)
  const lines = [...DAS_SERVICES].flatMap(([tld, service]) =>
    'format' in service ? [`${service.server} ${service.format(`acme.${tld}`)}`] : [],
  )
  assert.deepEqual(lines, [
    'das.dns.be:4343 acme.be',
    'das.eu:4343 get 1.0 acme',
    'das.nic.it:4343 acme.it',
    'das.domreg.lt:4343 get 1.0 acme.lt',
    'whois.rotld.ro:4343 acme.ro',
    'whois.nic.ch:4343 acme.ch',
    'whois.nic.ch:4343 acme.li',
    'finger.norid.no:79 acme.no',
    'free.iis.se:80 /free?q=acme.se',
  ])
})

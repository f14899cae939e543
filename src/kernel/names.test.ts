import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import * as z from 'zod'
import { parseInput } from './input.ts'
import { domainField, labelField, parseDomain, parseLabel, splitDomain, type DomainName } from './names.ts'

const read = (text: string): string => {
  const reading = parseDomain(text)
  return reading.ok ? reading.name : `! ${reading.problem}`
}
const readLabel = (text: string): string => {
  const reading = parseLabel(text)
  return reading.ok ? reading.name : `! ${reading.problem}`
}
const domain = (text: string): DomainName => {
  const reading = parseDomain(text)
  assert.ok(reading.ok, text)
  return reading.name
}

describe('a full domain', () => {
  const accepted: [string, string][] = [
    ['example.com', 'example.com'],
    ['  EXAMPLE.Com\t', 'example.com'],
    ['example.com.', 'example.com'],
    ['a.b.c.example.co', 'a.b.c.example.co'],
    ['1.co', '1.co'],
    ['ab--cd.com', 'ab--cd.com'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['XN--BCHER-KVA.DE', 'xn--bcher-kva.de'],
    ['example.xn--p1ai', 'example.xn--p1ai'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    [`${`${'a'.repeat(49)}.`.repeat(5)}com`, `${`${'a'.repeat(49)}.`.repeat(5)}com`],
  ]
  for (const [given, expected] of accepted) {
    test(`${JSON.stringify(given.slice(0, 30))} is accepted`, () => assert.equal(read(given), expected))
  }

  const refused: [string, RegExp][] = [
    ['', /^! is empty; /],
    [' . ', /^! is empty; /],
    ['example', /^! has no TLD; give the full domain, for example example\.com\.$/],
    ['example.', /^! has no TLD/],
    ['example.com..', /^! has an empty label/],
    ['.example.com', /^! has an empty label/],
    ['www..com', /^! has an empty label/],
    ['-a.com', /^! has the label "-a"; a label may not start or end with a hyphen\.$/],
    ['a-.com', /^! has the label "a-"; /],
    ['a.-com', /^! has the label "-com"; /],
    ['a.c', /^! ends in "c", which is not a TLD/],
    ['a.c0m', /^! ends in "c0m"/],
    ['127.0.0.1', /^! ends in "1"/],
    ['a_b.com', /^! contains "_"; a domain has only letters, digits, hyphens and dots\.$/],
    ['a b.com', /^! contains a space/],
    ['a@b.com', /^! contains "@"/],
    ['a%41.com', /^! contains "%"/],
    ['a.com\0.org', /^! contains a control character \(U\+0000\)/],
    ['a\u007f.com', /^! contains a control character \(U\+007F\)/],
    ['https://example.com/x', /^! looks like a URL; give only the domain/],
    [`${'a'.repeat(64)}.com`, /^! has a label of 64 characters; a label has at most 63\.$/],
    [`${'a.'.repeat(126)}com`, /^! is 255 characters long; a domain has at most 253\.$/],
    ['xn--a.com', /^! has the label "xn--a", which is not valid punycode/],
    ['xn--zzzzz-.com', /^! has the label "xn--zzzzz-"; a label may not start or end with a hyphen/],
    ['xn--.com', /hyphen/],
    // Punycode of plain ASCII is a second spelling of the same name.
    ['xn--abc-.com', /hyphen/],
    // These decode to a capital letter, a decomposed one and a soft hyphen: their round trip gives another name.
    ['xn--bcher-2pa.com', /not valid punycode/],
    ['xn--u-ccb.com', /not valid punycode/],
    ['xn--ab-5da.com', /not valid punycode/],
    ['a.xn--a', /not valid punycode/],
  ]
  for (const [given, expected] of refused) {
    test(`${JSON.stringify(given.slice(0, 30))} is rejected`, () => assert.match(read(given), expected))
  }

  test('non-ASCII text is rejected with the punycode form to use', () => {
    assert.equal(read('Bücher.de'), '! is not ASCII; use its punycode form xn--bcher-kva.de.')
    assert.equal(read('faß.de.'), '! is not ASCII; use its punycode form xn--fa-hia.de.')
    assert.equal(read('例え。com'), '! is not ASCII; use its punycode form xn--r8jz45g.com.')
  })
  test('a look-alike that lower-cases to ASCII is not accepted as ASCII', () => {
    assert.equal(read('\u212Aelvin.com'), '! is not ASCII; use its punycode form kelvin.com.')
  })
  test('text without a punycode form is rejected without a suggestion', () => {
    const problem = /^! is not ASCII and has no valid punycode form/
    for (const given of ['\ud800.com', 'a\udc00b.com', '\u200d.com', 'ü_.com', 'ü', `${'ü'.repeat(70)}.com`]) {
      assert.match(read(given), problem, JSON.stringify(given))
    }
  })
  test('100 KB of any text is rejected by its length alone', () => {
    for (const unit of ['a', '.', 'ü', '\0', '\ud800', 'xn--', 'a-', '\u0628\u200c']) {
      assert.match(read(`x${unit.repeat(100_000)}x`), /^! is \d+ characters long/)
      assert.match(readLabel(`x${unit.repeat(100_000)}x`), /^! is \d+ characters long/)
    }
    assert.match(read(' '.repeat(100_000)), /^! is empty/)
  })
})

describe('a name without its TLD', () => {
  test('is lower-cased and trimmed', () => assert.equal(readLabel('  My-Name '), 'my-name'))
  test('may be a punycode label', () => assert.equal(readLabel('xn--bcher-kva'), 'xn--bcher-kva'))
  test('may be one character, or digits only', () => {
    assert.equal(readLabel('x'), 'x')
    assert.equal(readLabel('123'), '123')
  })
  const refused: [string, RegExp][] = [
    ['', /^! is empty/],
    ['example.com', /^! contains a dot; give the name without its TLD/],
    ['example.', /^! contains a dot/],
    ['-a', /hyphen\.$/],
    ['a-', /hyphen\.$/],
    ['a b', /^! contains a space; a name has only letters, digits and hyphens\.$/],
    ['a'.repeat(64), /^! is 64 characters long; a name has at most 63\.$/],
    ['bücher', /^! is not ASCII; use its punycode form xn--bcher-kva\.$/],
    // Its ASCII form would contain a dot, so it is not a label.
    ['bücher。de', /^! is not ASCII and has no valid punycode form/],
    ['xn--a', /not valid punycode/],
  ]
  for (const [given, expected] of refused) {
    test(`${JSON.stringify(given.slice(0, 30))} is rejected`, () => assert.match(readLabel(given), expected))
  }
})

describe('splitting', () => {
  const suffixes = new Set(['com', 'uk', 'co.uk'])
  test('a domain directly under a suffix is registrable', () => {
    const expected = { kind: 'registrable', label: 'example', suffix: 'com', registrable: 'example.com' }
    assert.deepEqual(splitDomain(domain('example.com'), suffixes), expected)
  })
  test('the longest suffix wins', () => {
    const expected = { kind: 'registrable', label: 'example', suffix: 'co.uk', registrable: 'example.co.uk' }
    assert.deepEqual(splitDomain(domain('example.co.uk'), suffixes), expected)
  })
  test('a suffix that leaves no label before it is not the split', () => {
    const expected = { kind: 'registrable', label: 'co', suffix: 'uk', registrable: 'co.uk' }
    assert.deepEqual(splitDomain(domain('co.uk'), suffixes), expected)
  })
  test('a sub-domain names the domain it belongs to', () => {
    assert.deepEqual(splitDomain(domain('a.www.example.co.uk'), suffixes), {
      kind: 'subdomain',
      label: 'example',
      suffix: 'co.uk',
      registrable: 'example.co.uk',
      problem: 'a.www.example.co.uk is a sub-domain of example.co.uk; ask for example.co.uk.',
    })
  })
  test('a domain without a supported suffix names the unsupported TLD', () => {
    assert.deepEqual(splitDomain(domain('a.com.example'), suffixes), {
      kind: 'unsupported',
      tld: 'example',
      problem: 'The TLD .example is not supported; GET /v1/tlds and GET /v1/suffixes list what is.',
    })
  })
})

describe('as fields of an endpoint', () => {
  const input = z.object({ domain: domainField, name: labelField.optional() })
  const complaints = { domain: { missing: 'missing_domain', invalid: 'invalid_domain' } } as const

  test('the value is normalized', () => {
    const given = { domain: ' Example.COM. ', name: 'Foo' }
    assert.deepEqual(parseInput({ input }, given), { domain: 'example.com', name: 'foo' })
  })
  test('an error message names the field, what is wrong and what would be right', () => {
    assert.throws(() => parseInput({ input, complaints }, { domain: 'bücher.de' }), {
      code: 'invalid_domain',
      message: 'domain: is not ASCII; use its punycode form xn--bcher-kva.de.',
    })
    assert.throws(() => parseInput({ input, complaints }, {}), {
      code: 'missing_domain',
      message: 'domain is required; for example domain=example.com.',
    })
    assert.throws(() => parseInput({ input, complaints }, { domain: ['a.com'] }), { code: 'invalid_domain' })
  })
  test('the JSON Schema of the input is a described string with an example', () => {
    const { properties } = z.toJSONSchema(input, { io: 'input' })
    const field = properties?.['domain'] as { type: string; description: string; examples: string[] }
    assert.equal(field.type, 'string')
    assert.ok(field.description.length > 0)
    assert.deepEqual(field.examples, ['example.com'])
  })
})

describe('for any text', () => {
  const alphanumeric = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''))
  /** Labels as the rules describe them, written without the code under test; `xn--` is left to its own tests. */
  const label = fc
    .tuple(alphanumeric, fc.string({ unit: fc.oneof(alphanumeric, fc.constant('-')), maxLength: 30 }), alphanumeric)
    .map((parts) => parts.join(''))
    .filter((text) => !text.startsWith('xn--'))
  const tld = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
    minLength: 2,
    maxLength: 20,
  })
  const validDomain = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 6 }), tld)
    .map(([labels, last]) => [...labels, last].join('.'))
  const nasty = fc.constantFrom('.', '-', 'xn--', 'ü', '。', '\u200d', '\ud800', '\0', ' ', 'A', '_', '\u0628', 'com')
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.oneof(nasty, alphanumeric), maxLength: 80 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
  )
  const LDH = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/

  test('valid LDH is always accepted, whatever its case and padding', () => {
    fc.assert(
      fc.property(validDomain, fc.boolean(), (text, shout) => {
        const given = shout ? ` ${text.toUpperCase()}. ` : text
        assert.equal(read(given), text)
      }),
    )
    fc.assert(fc.property(label, (text) => assert.equal(readLabel(text.toUpperCase()), text)))
  })
  test('an accepted name is LDH within the limits, and accepted again unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(anything, validDomain), (text) => {
        const reading = parseDomain(text)
        if (!reading.ok) return
        assert.match(reading.name, LDH)
        assert.ok(reading.name.length <= 253)
        assert.deepEqual(parseDomain(reading.name), reading)
      }),
      { numRuns: 1000 },
    )
  })
  test('nothing is thrown, and a rejection always has a full sentence', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const reading of [parseDomain(text), parseLabel(text)]) {
          if (!reading.ok) assert.match(reading.problem, /^[a-z].*\.$/)
        }
      }),
      { numRuns: 1000 },
    )
  })
  test('the punycode form that a rejection suggests is accepted', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'äöüßéñçøåšžаяжщ例日本語한국'.split('')),
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(letters, tld, (text, last) => {
        const suggestion = /use its punycode form (.*)\.$/.exec(read(`${text}.${last}`))?.[1]
        assert.ok(suggestion !== undefined, text)
        assert.equal(read(suggestion), suggestion)
      }),
    )
  })
  test('a registrable split joins back to the domain', () => {
    fc.assert(
      fc.property(validDomain, (text) => {
        const split = splitDomain(domain(text), new Set(['com', text.slice(text.lastIndexOf('.') + 1)]))
        assert.ok(split.kind !== 'unsupported')
        assert.equal(`${split.label}.${split.suffix}`, split.registrable)
        assert.ok(text === split.registrable || text.endsWith(`.${split.registrable}`))
      }),
    )
  })
})

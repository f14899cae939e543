import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { isoDate } from './dates.ts'
import { parseRdap } from './parse.ts'
import { disclosed } from './redaction.ts'
import { refusalIn } from './refusals.ts'
import { eppStatus } from './status.ts'

const RDAP = 'application/rdap+json'
const ask = (status: number, body: unknown, domain = 'name.example', type: string | undefined = RDAP) =>
  parseRdap(status, type, typeof body === 'string' ? body : JSON.stringify(body), domain)

suite('only a 404 of the registry with the RDAP media type is "available"', () => {
  const free: [string, unknown, string][] = [
    ['no body', '', RDAP],
    ['no body, and a parameter', '', 'Application/RDAP+JSON; charset=UTF-8'],
    ['blanks', ' \r\n', RDAP],
    ['an error body', { errorCode: 404, title: 'Not Found' }, RDAP],
    ['a code in quotes', { errorCode: '404', title: 'Object not found' }, RDAP],
    ['no code, but a conformance', { rdapConformance: ['rdap_level_0'], title: 'Not Found' }, RDAP],
    ['an address to read more at', { errorCode: 404, description: ['Not found. See whois.nic.example.'] }, RDAP],
    ['its own name and address', { errorCode: 404, description: ['NAME.EXAMPLE not found, see nic.example'] }, RDAP],
    ['a byte order mark', '\ufeff{"errorCode":404}', RDAP],
    ['a description that is no list', { errorCode: 404, description: 'no such domain' }, RDAP],
    ['a disclaimer', { errorCode: 404, description: ['The name may be reserved or not be offered.'] }, RDAP],
  ]
  for (const [what, body, type] of free) {
    test(`404 with ${what}: available`, () => {
      assert.deepEqual(parseRdap(404, type, typeof body === 'string' ? body : JSON.stringify(body), 'name.example'), {
        kind: 'available',
      })
    })
  }

  const unclear: [string, unknown, string | undefined][] = [
    ['no body, of type HTML', '', 'text/html'],
    ['no body, of type JSON', '', 'application/json'],
    ['no body and no type', '', undefined],
    ['an RDAP error of type JSON', { errorCode: 404 }, 'application/json; charset=utf-8'],
    ['an RDAP error of type HTML', { errorCode: 404, title: 'Not Found' }, 'text/html'],
    ['an RDAP error without a type', { errorCode: 404, title: 'Not Found' }, undefined],
    ['an RDAP error of a similar type', { errorCode: 404 }, 'application/rdap+jsonp'],
    ['the name of another domain', { errorCode: 404, description: ['other.example not found'] }, RDAP],
    [
      'the name of another domain in quotes',
      { errorCode: 404, description: ['There is no domain "other.example".'] },
      RDAP,
    ],
    ['a web page', '<html>Not found</html>', 'text/html'],
    ['a web page of the RDAP type', '<html>Not found</html>', RDAP],
    ['plain text', 'Not Found', 'text/plain'],
    ['an XML error', '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', 'application/xml'],
    ['a truncated error', '{"errorCode":404,"title":"Not', RDAP],
    ['a list', '[{"errorCode":404}]', RDAP],
    ['JSON of something else', { message: 'Not Found' }, 'application/json'],
    ['another code', { errorCode: 400, title: 'Bad Request' }, RDAP],
    ['an object', { objectClassName: 'domain', ldhName: 'name.example' }, RDAP],
    ['an unknown TLD', { errorCode: 404, title: 'Unknown TLD' }, RDAP],
    ['a temporary error', { errorCode: 404, title: 'Temporarily unavailable' }, RDAP],
  ]
  for (const [what, body, type] of unclear) {
    test(`404 with ${what}: unclear`, () => {
      const answer = parseRdap(404, type, typeof body === 'string' ? body : JSON.stringify(body), 'name.example')
      assert.equal(answer.kind === 'unclear' && answer.why, 'not_understood')
    })
  }

  test('after a redirect to another host, an RDAP error body is required', () => {
    const elsewhere = (body: string) => parseRdap(404, RDAP, body, 'name.example', { otherHost: true }).kind
    assert.equal(elsewhere(''), 'unclear')
    assert.equal(elsewhere('{"errorCode":404}'), 'available')
  })

  test('no other status is available, whatever its body', () => {
    const statuses = fc.integer({ min: 100, max: 999 }).filter((status) => status !== 404)
    const body = fc.constantFrom('', '{"errorCode":404,"title":"Not Found"}', '{}', '<html>404</html>')
    fc.assert(fc.property(statuses, body, (status, body) => ask(status, body).kind !== 'available'))
  })
})

suite('the meaning of an error text', () => {
  const said: [string, ReturnType<typeof refusalIn>][] = [
    ['Not Found', undefined],
    ['The domain was not found in the registry database', undefined],
    ['It does not exist in zone example', undefined],
    ['Object not found. All rights reserved.', undefined],
    ['name.example not found', undefined],
    ['This name may not be available for registration', undefined],
    ['This name is not available for registration', 'reserved'],
    ['name.example is reserved', 'reserved'],
    ['name.example blocked by BSA', 'reserved'],
    ['This label cannot be registered', 'reserved'],
    ['Registration is not permitted', 'reserved'],
    ['Nom de domaine réservé', 'reserved'],
    ['Your request was blocked', 'doubtful'],
    ['Domain not available', 'doubtful'],
    ['Invalid domain name', 'doubtful'],
    ['Domain name is under tld example which does not exist', 'elsewhere'],
    ['Not managed by this registry', 'elsewhere'],
    ['Lookup type not supported', 'elsewhere'],
    ['Rate limit exceeded', 'throttled'],
    ['Too many requests from your address', 'throttled'],
  ]
  for (const [words, refusal] of said) {
    test(`"${words}" is ${refusal ?? 'only "not found"'}`, () =>
      assert.equal(refusalIn(words, 'name.example'), refusal))
  }

  test('words inside the domain name are ignored', () => {
    for (const domain of ['reserved-zone.com', 'blocked.com', 'rate-limit-exceeded.com', 'xn--reserved--57a.com']) {
      assert.equal(refusalIn(`${domain} not found`, domain), undefined)
      assert.equal(refusalIn(`Domain ${domain.toUpperCase()} not found`, domain), undefined)
    }
  })

  test('a reserved name has the sentence that says so as its reason', () => {
    const body = { errorCode: 404, title: 'Not Found', description: ['Name: name.example', 'Registry Reserved.'] }
    assert.deepEqual(ask(404, body), { kind: 'reserved', reason: 'Registry Reserved' })
    const refused = { errorCode: 422, description: ['The name is reserved'] }
    assert.deepEqual(ask(422, refused), { kind: 'reserved', reason: 'The name is reserved' })
    assert.equal(ask(500, refused).kind, 'unclear')
  })
})

suite('premium names', () => {
  const error = (...description: string[]) => ask(404, { errorCode: 404, title: 'Not Found', description })
  const object = (more: object) => ask(200, { objectClassName: 'domain', ldhName: 'name.example', ...more })
  const registrar = { entities: [{ roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Names Ltd']]] }] }

  test('a premium name on offer is available', () => {
    for (const words of [
      'This is a premium domain name, available for registration at a premium price.',
      'The premium name name.example can be purchased through a registrar',
      'Premium domain is available for purchase',
    ]) {
      assert.deepEqual(error(words), { kind: 'available', premium: true }, words)
    }
  })

  test('a premium name that is not on offer is reserved', () => {
    for (const words of [
      'This is a reserved premium name',
      'name.example is a premium domain name',
      'This premium domain is not available for registration',
      'Premium name, available from its current owner',
    ]) {
      const answer = error(words)
      assert.deepEqual({ ...answer, reason: '' }, { kind: 'reserved', reason: '', premium: true }, words)
    }
  })

  test('a sentence about names in general, or with "may", does not make the name premium', () => {
    for (const words of [
      'Premium domains are available for purchase',
      'The name may be premium',
      'Not a premium name',
    ]) {
      assert.deepEqual(error(words), { kind: 'available' }, words)
    }
    assert.deepEqual(ask(404, { errorCode: 404, title: 'premium.example not found' }, 'premium.example'), {
      kind: 'available',
    })
  })

  test('a registration is premium by its status or a remark', () => {
    const premium = (more: object) => {
      const answer = object({ ...registrar, ...more })
      assert.ok(answer.kind === 'registered')
      return answer.premium
    }
    assert.equal(premium({ status: ['active'] }), undefined)
    assert.equal(premium({ status: ['active', 'Premium'] }), true)
    assert.equal(premium({ remarks: [{ description: ['This is a premium name.'] }] }), true)
    assert.equal(premium({ notices: [{ title: 'Terms', description: ['Premium names cost more.'] }] }), undefined)
    assert.deepEqual(object({ status: ['premium'] }), { kind: 'reserved', reason: 'premium', premium: true })
  })
})

suite('the object must be the requested domain', () => {
  const kindOf = (object: object, domain?: string) => ask(200, object, domain).kind
  test('its name matches in any case, with or without a trailing dot, in ASCII or Unicode', () => {
    assert.equal(kindOf({ objectClassName: 'domain', ldhName: 'NAME.Example.' }), 'registered')
    assert.equal(kindOf({ ldhName: 'bücher.example' }, 'xn--bcher-kva.example'), 'registered')
    assert.equal(kindOf({ unicodeName: 'bücher.example' }, 'xn--bcher-kva.example'), 'registered')
    assert.equal(kindOf({ objectClassName: 'Domain', handle: 'name.example' }), 'registered')
  })
  test('another name, a parent or child, or a name in the wrong field is unclear', () => {
    for (const object of [
      { ldhName: 'other.example' },
      { ldhName: 'www.name.example' },
      { ldhName: 'example' },
      { ldhName: 'other.example', unicodeName: 'name.example' },
      { ldhName: ['name.example', 1] },
      { objectClassName: 'nameserver', ldhName: 'name.example' },
      { domainSearchResults: [{ objectClassName: 'domain', ldhName: 'name.example' }] },
      {},
    ]) {
      assert.equal(kindOf({ objectClassName: 'domain', ...object }), 'unclear', JSON.stringify(object))
    }
  })
})

test('status words are normalized to EPP', () => {
  const words: [string, string][] = [
    ['active', 'ok'],
    ['ok', 'ok'],
    ['client transfer prohibited', 'clientTransferProhibited'],
    ['clientTransferProhibited', 'clientTransferProhibited'],
    ['CLIENT-HOLD', 'clientHold'],
    ['serverHold (https://icann.org/epp#serverHold)', 'serverHold'],
    ['pending delete', 'pendingDelete'],
    ['server recover prohibited', 'server recover prohibited'],
    ['associated', 'associated'],
  ]
  for (const [said, word] of words) assert.equal(eppStatus(said), word)
})

test('dates are normalized to ISO 8601 in UTC; invalid ones are omitted', () => {
  const dates: [string, string | undefined][] = [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05Z'],
    ['2026-01-02T03:04:05-0530', '2026-01-02T08:34:05Z'],
    ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04Z', '2026-01-02T03:04:00Z'],
    ['2026-01-02', '2026-01-02T00:00:00Z'],
    ['2026-02-30T00:00:00Z', undefined],
    ['2026-13-01', undefined],
    ['02.01.2026', undefined],
    ['0000-00-00T00:00:00Z', undefined],
    ['', undefined],
  ]
  for (const [said, iso] of dates) assert.equal(isoDate(said), iso, said)
})

test('redacted values are omitted; values that only look similar are kept', () => {
  for (const value of [
    'REDACTED FOR PRIVACY',
    'Data Redacted',
    'Redacted | Registry Policy',
    '[hidden]',
    'Not Disclosed',
    'GDPR Masked',
    'Statutory Masking Enabled',
    'Withheld for Privacy Purposes',
    'Non-Public Data',
    'Personal data is not published',
    'N/A',
    'none',
    '-',
    '***',
    '',
  ]) {
    assert.equal(disclosed(value), undefined, value)
  }
  for (const value of [
    'Hidden Valley Ltd',
    'Protected Trust',
    'NA',
    'Privacy Partners',
    'Removed & Sons',
    '株式会社',
  ]) {
    assert.equal(disclosed(value), value)
  }
})

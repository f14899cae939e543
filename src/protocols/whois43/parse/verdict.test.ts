import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseWhois } from '../parse.ts'

const kindOf = (text: string, tld = 'example') => {
  const answer = parseWhois(text, { domain: `free-name.${tld}`, tld })
  return answer.kind === 'unclear' ? answer.why : answer.kind
}

const NOT_FOUND = [
  'No match for "FREE-NAME.EXAMPLE".',
  'No match for domain "free-name.example" (ASCII):',
  'NO MATCH: free-name.example',
  'No match!!',
  '% No match',
  'free-name.example - No Match',
  'No Data Found',
  'NO OBJECT FOUND!',
  'Not found: free-name.example',
  'NOT FOUND',
  '%% NOT FOUND',
  'Domain not found.',
  'Domain Not Found: free-name.example',
  'domain "free-name.example" not found.',
  'The domain free-name.example was not found!',
  'Object "free-name.example" NOT FOUND.',
  'The queried object does not exist: DOMAIN NOT FOUND',
  'The queried object does not exist',
  'The queried object does not exist: no matching objects found',
  'The queried object does not exist: no matching',
  'The queried object does not exist: free-name.example',
  'The queried object does not exist: No Object Found',
  'The queried object does not exist: purged',
  'The queried object does not exist: previous registration purged 2026-01-02',
  'No entries found [ No match for ]',
  'No match for free-name',
  'free-nameNOT FOUND',
  'Domain name free-name.example does not exist in database!',
  'Domain Name [free-name.example] does not exist in database',
  'Object does not exist',
  'No entries found for the selected source(s).',
  '% No entries found for query "free-name.example".',
  '%% No entries found in the AFNIC Database.',
  '%ERROR:101: no entries found',
  '%ERROR:103: Domain is not registered',
  '%error 230 No Objects Found',
  'No records matching free-name.example found.',
  'No such domain free-name.example',
  'No such domain: free-name.example',
  'no matching record.',
  'No domain records were found to match "free-name.example"',
  'No information was found matching that query.',
  'No information available about domain name free-name.example in the Registry database.',
  '% No data was found to match the request criteria.',
  'There is no information available on the domain consulted.',
  '*** Nothing found for this query.',
  '% nothing found',
  'free-name.example is free',
  'free-name.example is available',
  'Domain free-name.example is available for purchase',
  '>>> Domain free-name.example is available for registration',
  'Data not found. This domain is available for registration.',
  'This domain name has not been registered.',
  'The domain has not been registered.',
  'The domain free-name.example is not registered.',
  'Domain free-name.example not registred.',
  'Sorry, but domain: "free-name.example", not found in database',
  'Above domain name is not registered to KRNIC.',
  'We do not have an entry in our database matching your query.',
  'Invalid query or domain name not known in Dot TK Domain Registry',
  'Object_Not_Found',
  'Domain unknown',
  'free-name.example: no existe',
  'El dominio no se encuentra registrado en NIC Argentina',
  'Nincs találat / No match',
  '% Nincs talalat / No match',
  'No match / Nincs találat',
  'Домен не найден',
  'Status: free',
  'Status:\tAVAILABLE',
  'Domain Status: No Object Found',
  'Domain status: available',
  'query_status: 220 Available',
  'Status: Not Registered',
  'Status: AVAILABLE (No match for domain "free-name.example")',
  'Available\nDomain: free-name.example',
  '% You queried for free-name.example but this server does not have\n% any data for free-name.example.',
]

const RESERVED = [
  'Reserved by the registry',
  'Name is reserved by the registry operator',
  'Domain reserved',
  'This name is reserved.',
  'free-name.example is a reserved name',
  '>>> This name is registry reserved by the operator.',
  'The domain you want to register is reserved',
  'Domain not available',
  'The domain you requested is prohibited.',
  'This domain name is not available for registration.',
  'This domain cannot be registered because it contravenes the naming rules.',
  'The name is blocked by the registry',
  'Status: RESERVED',
  'Status:\tNOT ALLOWED',
  'Status: UNASSIGNABLE',
  'Status: invalid',
  'Domain Status: Prohibited String - Object Cannot Be Registered',
  'the Domain Name you apply can not be registered online. Please consult your Domain Name registrar',
  'The domain name that you applied for is reserved.',
  'Reserved Domain Name',
  '该域名为保留域名',
  '您查询的域名已被保留',
  '保留域名',
  'Status: PREMIUM NAME (No match for domain "free-name.example")',
]

const RATE_LIMITED = [
  '% Quota exceeded',
  'WHOIS LIMIT EXCEEDED - SEE WWW.EXAMPLE FOR DETAILS',
  'Your connection limit exceeded. Please slow down and try again later.',
  'You have exceeded allowed connection rate.',
  'Number of allowed queries exceeded.',
  'Maximum Daily connection limit reached. Lookup refused.',
  'request limit exceeded for 192.0.2.1',
  'error: ratelimit exceeded',
  '%% Too many requests...',
  '# Too many connections.',
  '-1: Still in grace period, wait 7777777 seconds',
  '% Excessive querying, grace period of 2 seconds',
  '-3: IP address blocked',
  'Your IP has been blacklisted',
  'whois.example: only 1 request per second allowed, try again later',
  '% Error: 55000000002 Connection refused; access control limit reached.',
  'query_status: 440 Request Denied',
  'Queried interval is too short.',
  'Your access is too fast,please try again later.',
  'Requests of this client are not permitted.',
  'Access to this service is denied: query limit exceeded',
  'The WHOIS query quota for 192.0.2.1 has been exceeded\nand will be replenished in 50 seconds.',
  'Zu viele Anfragen',
  'Demasiadas consultas',
  'Слишком много запросов',
  '查询过于频繁',
]

const UNAVAILABLE = [
  'Server too busy, try again later',
  'Service temporarily unavailable.',
  'The system is under maintenance',
  'Internal error',
  'Database error: no match for driver',
  'Connection attempt failed 2.',
  'WHOIS lookup for FREE-NAME.EXAMPLE can temporarily not be answered. Please try again.',
  "Server can't process your request",
  '<!doctype html><title>Not found</title>',
  '<html>\nNot found\n</html>',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 404 Not Found\r\nServer: ns.example.com\r\nDate: Mon, 05 Jan 2026 10:00:00 GMT\r\n\r\nDomain not found.',
  'HTTP/1.0 400 Bad Request\n\nNot Found',
  '404 Not Found',
  '404 page not found',
  'Error 404: Not found',
  '\n\n\n\n\n\n<html><head><title>404</title></head>\nNot Found\n',
  '<title>Not Found</title>\nNot found',
  '<?xml version="1.0"?>\nNot found',
  '{"error":"not found"}',
  '{"message":\n"Not found"}\nnot found',
  'The requested URL /free-name.example was not found on this server.\nNot Found',
]

const NOT_UNDERSTOOD = [
  '',
  '\n\n\n',
  '% comment only',
  'Hello.',
  'Invalid query',
  'Invalid domain name',
  'Usage: whois DOMAIN',
  'TLD not supported',
  'free-name.example is not registered here.',
  'We could not find the requested domain on our system',
  'query_status: 500 Invalid characters in query string',
]

suite('the registry has no such domain: available', () => {
  for (const text of NOT_FOUND) test(JSON.stringify(text), () => assert.equal(kindOf(text), 'available'))
})

suite('the registry rejects the domain: reserved', () => {
  for (const text of RESERVED) test(JSON.stringify(text), () => assert.equal(kindOf(text), 'reserved'))
})

test('JSON over several lines is not an answer either', () =>
  assert.equal(kindOf('{\n"message": "Domain not found"\n}\nnot found'), 'unavailable'))

suite('the registry does not answer: never available, whatever else it says', () => {
  const tables = { rate_limited: RATE_LIMITED, unavailable: UNAVAILABLE, not_understood: NOT_UNDERSTOOD }
  for (const [why, texts] of Object.entries(tables)) {
    for (const text of texts) test(`${why}: ${JSON.stringify(text)}`, () => assert.equal(kindOf(text), why))
  }

  test('a refusal takes precedence over "not found" in the same answer', () => {
    for (const text of [...RATE_LIMITED, ...UNAVAILABLE]) {
      assert.notEqual(kindOf(`No match for "free-name.example".\n\n${text}\n`), 'available', text)
      assert.notEqual(kindOf(`${text}\n\nDomain not found.\n`), 'available', text)
    }
  })
})

suite('wording that only looks like an answer', () => {
  test('registration data takes precedence over any sentence', () => {
    const data = 'Domain Name: free-name.example\nRegistrar: Names Ltd\nCreation Date: 2020-01-01\n'
    for (const text of NOT_FOUND) {
      assert.equal(kindOf(`${data}\n${text}\n`), 'registered', text)
      assert.equal(kindOf(`${text}\n\n${data}`), 'registered', text)
    }
  })

  test('"not found" within a sentence over several lines is not a statement', () => {
    const notice =
      '% A name may be taken even where it is\n% not found\n% in this database, which does not mean that there is\n% no match for it.\n'
    assert.equal(kindOf(notice), 'not_understood')
  })

  test('terms of use that mention limits do not turn "not found" into a refusal', () => {
    const rules = [
      'Access may be withdrawn or restricted at any time.',
      'Access to this service is rate limited.',
      'You may not make excessive queries.',
      'Any other use constitutes unauthorised access to a computer.',
      "SIMPLE WORDS: Do not abuse this service or you'll get blocked.",
      'Please note that the query limit is 500 per day from the same IP.',
      'You are not authorized to access or query our WHOIS database through the use of\nmachines.',
      'If the limit is exceeded, access is denied.',
    ]
    assert.equal(kindOf(`No match for "free-name.example".\n\n${rules.join('\n\n')}\n`), 'available')
  })

  test('"available" in the middle of a sentence does not count', () => {
    const texts = [
      'It allows persons to check whether a specific domain name is still available or not.',
      'Full text available at: https://www.registry.example/',
      'Domain free-name.example is available for lease from its owner',
      'This server is available',
      'The domain free-name.example is not available',
      'No match for nameserver ns1.free-name.example found, domain follows',
    ]
    for (const text of texts) assert.notEqual(kindOf(text), 'available', text)
  })

  test('the wording of one registry does not count for another', () => {
    assert.equal(kindOf('The domain free-name.vu\nis not valid!', 'vu'), 'available')
    assert.notEqual(kindOf('The domain free-name.example\nis not valid!'), 'available')
    assert.equal(kindOf('No match for\n', 'md'), 'available')
    assert.equal(kindOf('No match for\nbar.md', 'md'), 'not_understood')
    assert.notEqual(kindOf('No match for\n'), 'available')
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import { parseRdap } from './parse.ts'

const RDAP = 'application/rdap+json'
const ask = (status: number, body: unknown, domain = 'name.example', type: string | undefined = RDAP) =>
  parseRdap(status, type, typeof body === 'string' ? body : JSON.stringify(body), domain)

suite('hostile input', () => {
  const folder = fileURLToPath(new URL('../../../test/golden/rdap/', import.meta.url))
  const goldens = readdirSync(folder).map((file) => JSON.parse(readFileSync(folder + file, 'utf8')))
  const bodies: { domain: string; body: string }[] = goldens
    .filter(({ body }) => body)
    .map(({ domain, body }) => ({ domain, body: JSON.stringify(body) }))
  const statuses = fc.constantFrom(200, 203, 301, 400, 403, 404, 422, 429, 500, 503)

  test('any bytes are parsed without an exception', () => {
    fc.assert(
      fc.property(
        statuses,
        fc.option(fc.string(), { nil: undefined }),
        fc.uint8Array({ maxLength: 300 }),
        (...input) => {
          const [status, type, bytes] = input
          const answer = parseRdap(status, type, bytes, 'name.example')
          assert.ok(answer.kind !== 'available' || status === 404)
        },
      ),
    )
  })

  test('a truncated answer is never conclusive', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        statuses,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, status, at) => {
          const cut = one.body.slice(0, 1 + Math.floor(at * (one.body.length - 2)))
          assert.equal(parseRdap(status, RDAP, cut, one.domain).kind, 'unclear')
        },
      ),
    )
  })

  test('any value in place of any other is parsed without an exception', () => {
    const property = fc.property(
      fc.constantFrom(...bodies),
      statuses,
      fc.nat(),
      fc.jsonValue({ maxDepth: 4 }),
      ({ domain, body }, status, at, value) => {
        let seen = 0
        const total = body.split(/[[{:,]/).length
        const changed = JSON.stringify(JSON.parse(body), (_key, old: unknown) => (seen++ === at % total ? value : old))
        const answer = parseRdap(status, RDAP, changed ?? 'null', domain)
        assert.ok(answer.kind !== 'available' || status === 404)
        if (answer.kind !== 'registered') return
        const { registration } = answer
        for (const text of [...registration.status, ...registration.nameservers]) assert.equal(typeof text, 'string')
        for (const part of [registration.registrar, registration.registrant, registration.dates]) {
          for (const text of Object.values(part ?? {})) {
            assert.ok(text.length > 0 && text.length <= 520 && !hasControlCharacter(text), text)
          }
        }
      },
    )
    fc.assert(property, { numRuns: 500 })
  })

  test('very deep and very long answers are parsed within limits', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    for (const member of ['entities', 'status', 'nameservers', 'events', 'secureDNS', 'redacted']) {
      const object = `{"objectClassName":"domain","ldhName":"name.example","${member}":${deep}}`
      assert.equal(ask(200, object).kind, 'registered')
    }
    const entity = {
      roles: ['registrant'],
      vcardArray: ['vcard', Array.from({ length: 5_000 }, () => ['fn', {}, 'text', 'x'])],
    }
    const many = {
      ldhName: 'name.example',
      entities: [entity],
      nameservers: Array.from({ length: 9000 }, (_, i) => `ns${i}.example`),
    }
    const answer = ask(200, many)
    assert.ok(answer.kind === 'registered' && answer.registration.nameservers.length <= 200)
    const nested = `${'{"entities":[{"roles":["registrar"],'.repeat(1)}"entities":[${'{"entities":['.repeat(5000)}${']}'.repeat(5000)}]}],"ldhName":"name.example"}`
    assert.equal(ask(200, nested).kind, 'registered')
    assert.equal(ask(200, `{"ldhName":"name.example","x":"${'x'.repeat(600_000)}"}`).kind, 'unclear')
  })

  test('keys such as __proto__ and constructor have no effect', () => {
    const object = '{"ldhName":"name.example","__proto__":{"status":["ok"]},"constructor":{"prototype":{"x":1}}}'
    const answer = ask(200, object)
    assert.deepEqual(answer, { kind: 'registered', registration: { status: [], nameservers: [] } })
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
  })
})

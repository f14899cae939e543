import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { scoreWhois } from './score-whois.ts'
import { scoreCases } from './score/score.ts'
import type { Case } from './score/cases.ts'

/** A folder with these cases, deleted after the test. */
async function folderWith(t: TestContext, cases: { name: string; raw: string; more: object }[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-score-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const { name, raw, more } of cases) {
    const one = {
      id: name,
      kind: 'whois',
      domain: 'example.com',
      tld: 'com',
      server: null,
      raw: `${name}.txt`,
      ...more,
    }
    await writeFile(join(folder, `${name}.json`), JSON.stringify(one))
    await writeFile(join(folder, `${name}.txt`), raw)
  }
  return folder
}

const registered =
  'Domain Name: EXAMPLE.COM\nRegistrar: Names Ltd\nCreation Date: 2001-02-03T04:05:06Z\nName Server: NS1.EXAMPLE.NET\n'

test('a folder is scored field by field, with a summary in one line', async (t) => {
  const folder = await folderWith(t, [
    {
      name: 'a',
      raw: registered,
      more: {
        expected: {
          outcome: 'registered',
          available: false,
          registrar: { name: 'NAMES LTD. (R1-LROR)' },
          dates: { created: '2001-02-03T14:05:06Z', expires: '2002-02-03' },
          nameservers: ['ns1.example.net.'],
          absent: ['dates.updated'],
        },
      },
    },
    { name: 'b', raw: 'No match for "EXAMPLE.COM".', more: { expected: { outcome: 'available', available: true } } },
    { name: 'c', raw: 'Quota exceeded', more: { expected: { outcome: 'throttled', available: null } } },
    {
      name: 'd',
      raw: '{"errorCode":404,"rdapConformance":["rdap_level_0"]}',
      more: { kind: 'rdap', httpStatus: 404, contentType: 'application/rdap+json', expected: { available: true } },
    },
  ])
  const lines: string[] = []
  assert.equal(await scoreWhois([folder, '--errors', '5'], (line) => lines.push(line)), 0)
  assert.equal(
    lines[0],
    `onoma on ${folder}: fields 6/7 = 85.7% (missing 1, wrong 0), whole cases right 3/4 = 75.0%, crashes 0, ` +
      'says "available" on throttled/error/other 0/1, exact instants 0.0%, invents a value the source says is absent 0/1',
  )
  assert.match(lines[1]!, /dates\.expires 0\.0% of 1/)
  assert.deepEqual(lines.slice(2), ['["a","dates.expires","missing","2002-02-03"]'])
})

test('a folder without cases is reported, and a missing argument prints the usage', async (t) => {
  const lines: string[] = []
  const folder = await folderWith(t, [])
  assert.equal(await scoreWhois([folder], (line) => lines.push(line)), 1)
  assert.equal(await scoreWhois([], (line) => lines.push(line)), 1)
  assert.match(lines.join('\n'), /has no cases[^]*usage:/)
})

suite('the comparison rules', () => {
  const score = async (expected: object, record: unknown) => {
    const one = { id: 'x', expected: { absent: [], ...expected } } as unknown as Case
    return scoreCases([one], () => Promise.resolve(record))
  }
  const isRight = async (expected: object, record: unknown) => (await score(expected, record)).cases.right === 1

  test('different spellings of one fact are equal', async () => {
    const pairs: [object, object][] = [
      [{ registrar: { name: 'Example, Inc.' } }, { registrar: { name: 'EXAMPLE INC' } }],
      [{ registrar: { url: 'http://www.example.com/' } }, { registrar: { url: 'example.com' } }],
      [{ registrar: { abusePhone: '+1.555 0100' } }, { registrar: { abusePhone: '0015550100' } }],
      [{ registrant: { country: 'United Kingdom' } }, { registrant: { country: 'GB' } }],
      [{ registrant: { country: 'US' } }, { registrant: { country: 'United States of America' } }],
      [{ status: ['ACTIVE', 'client transfer prohibited'] }, { status: ['clientTransferProhibited', 'ok'] }],
      [{ nameservers: ['NS1.EXAMPLE.COM. 192.0.2.1'] }, { nameservers: ['ns1.example.com'] }],
      [{ dates: { created: '2020-01-01' } }, { dates: { created: '2020-01-01T23:59:59Z' } }],
    ]
    for (const [expected, record] of pairs) {
      assert.ok(
        await isRight({ available: false, ...expected }, { available: false, ...record }),
        JSON.stringify(expected),
      )
    }
  })

  test('different facts are different', async () => {
    const pairs: [object, object][] = [
      [{ registrar: { name: 'Example' } }, { registrar: { name: 'Exemple' } }],
      [{ nameservers: ['a.example', 'b.example'] }, { nameservers: ['a.example'] }],
      [{ status: ['ok'] }, { status: ['ok', 'clientHold'] }],
      [{ dates: { created: '2020-01-01' } }, { dates: { created: '2020-01-03' } }],
      [{ dates: { created: '2020-01-01' } }, { dates: { created: 'soon' } }],
      [{ dnssec: { delegationSigned: true } }, { dnssec: { delegationSigned: false } }],
      [{ registrant: { country: 'AT' } }, { registrant: { country: 'AU' } }],
    ]
    for (const [expected, record] of pairs) {
      assert.ok(
        !(await isRight({ available: false, ...expected }, { available: false, ...record })),
        JSON.stringify(expected),
      )
    }
  })

  test('"available" for a rejected query is counted separately, and so is a crash', async () => {
    const claimed = await score({ outcome: 'throttled', available: null }, { available: true })
    assert.deepEqual(claimed.nonAnswers, { available: 1, of: 1 })
    assert.deepEqual(claimed.mistakes, [['x', 'available', 'claims available on throttled']])
    const one = { id: 'x', expected: { absent: [], available: false } } as unknown as Case
    const crashed = await scoreCases([one], () => Promise.reject(new Error('oops')))
    assert.deepEqual([crashed.crashes, crashed.missing, crashed.cases.right], [1, 1, 0])
  })
})

import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { SITE_PROBLEMS } from '../../src/intel/site-error.ts'
import { ERRORS } from '../../src/kernel/errors.ts'
import openapi from '../golden/openapi.json' with { type: 'json' }

const file = new URL('../../docs/errors.md', import.meta.url)

function errorsPage(): string {
  const rows = Object.entries(ERRORS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`)
  return `# Errors

\`\`\`console
$ curl 'http://127.0.0.1:8080/v1/check?name=-bad&tld=com'
{"error":"invalid_name","message":"…"}
\`\`\`

Every error is \`{"error": "<code>", "message": "<sentence>"}\`. The code is for programs and never changes its meaning. The
message is for people, names the parameter and says what would be right. With \`Accept: application/problem+json\` the body
also has \`type\`, \`title\`, \`status\`, \`detail\` and \`instance\` (RFC 9457). \`type\` is the address of the page about the code
at the service itself: \`/docs/errors/<code>\` says what it means, what to do, and which endpoints send it.

\`/openapi.json\` lists the errors of each endpoint. A few codes have another status at some endpoints, as listed there. A
request that is too large or too slow is rejected with \`invalid_request\` and 408 or 431.

Some errors have more fields: \`tld\` if one TLD is the reason, \`errors\` if several sources failed, and a 402 what both
payment protocols need (\`accepts\` for x402, \`challengeId\` and the header \`WWW-Authenticate\` for MPP). A 501 of
\`/v1/aftermarket/{domain}\` is a complete report with \`error\` and \`message\`.

A 503 says in its message what cannot work, for example which file is damaged; \`GET /ready\` lists every such part. If an upstream
refuses connections or cannot be reached, the error comes within a second. If it is silent, the first request takes its timeout,
and later ones fail at once until the upstream answers again.

The case of an enumeration value is ignored. A list given twice (\`tld=com&tld=net\`) is the union of both; any other
parameter given twice is rejected with the code of that parameter.

## Codes

| status | code | meaning |
|---|---|---|
${rows.join('\n')}
`
}

test('docs/errors.md lists every error code', () => {
  if (process.env['ONOMA_UPDATE_GOLDEN'] === '1') writeFileSync(file, errorsPage())
  assert.equal(readFileSync(file, 'utf8'), errorsPage(), 'run `npm run golden -- test/docs/reference-pages.test.ts`')
})

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('docs/payments.md names every paid endpoint and its prices', () => {
  type Operation = { 'x-price'?: { usd: string | Record<string, string> } }
  const lines = pageOf('payments.md').split('\n')
  let count = 0
  for (const [path, operations] of Object.entries(openapi.paths)) {
    for (const [method, { 'x-price': price }] of Object.entries(operations as Record<string, Operation>)) {
      if (!price) continue
      count++
      const row = lines.find((line) => line.startsWith(`| \`${method.toUpperCase()} ${path}\` |`))
      assert.ok(row, `${method} ${path}`)
      for (const usd of typeof price.usd === 'string' ? [price.usd] : Object.values(price.usd)) {
        assert.ok(row.includes(`$${usd}`), `${row} lacks $${usd}`)
      }
    }
  }
  assert.ok(count >= 3)
})

test('docs/certainty.md says of every endpoint what its answer is worth, under the heading of its capability', () => {
  const sections = new Map(
    pageOf('certainty.md')
      .split(/^## /m)
      .map((section) => [section.slice(0, section.indexOf('\n')).toLowerCase(), section]),
  )
  let count = 0
  for (const [path, operations] of Object.entries(openapi.paths)) {
    for (const [method, { tags, operationId }] of Object.entries(
      operations as Record<string, { tags?: string[]; operationId?: string }>,
    )) {
      // Of the second address, and a file.
      if (tags === undefined || operationId?.endsWith('AtEnsUrl') || path.startsWith('/screenshots/')) continue
      count++
      const section = sections.get(tags[0]!)
      assert.ok(section?.includes(`\`${method.toUpperCase()} ${path}\``), `${tags[0]}: ${method} ${path}`)
    }
  }
  assert.ok(count > 30)
})

test('docs/intel.md explains every value of `error`', () => {
  const page = pageOf('intel.md')
  for (const problem of [...Object.keys(SITE_PROBLEMS), 'screenshot_service_unavailable']) {
    assert.ok(page.includes(`| \`${problem}\` |`), problem)
  }
})

/** Where the addresses of others stand in the code: settings and their defaults, wiring, feeds, open registers. */
const ASKING = ['src/app/{settings,wiring}/**/*.ts', 'src/presence/sources/open/*.ts']
/** In examples of settings, in links that the service only shows, and a resolver whose addresses are known if a setting names it. */
const NOT_ASKED = new Set(['s3.eu-central-1.amazonaws.com', 'search.gleif.org', 'dns.quad9.net'])

test('docs/privacy.md names every host that the service asks by default or by a setting', () => {
  const root = new URL('../../', import.meta.url)
  const files = ASKING.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => !file.includes('.test.'))
  const hosts = files.flatMap((file) => {
    const code = readFileSync(new URL(file, root), 'utf8')
    return [...code.matchAll(/https:\/\/([\w-]+(?:\.[\w-]+)+)|'((?:[\w-]+\.)+(?:com|org|net))'/g)].map(
      ([, inUrl, alone]) => (inUrl ?? alone)!,
    )
  })
  const asked = new Set(hosts.filter((host) => !NOT_ASKED.has(host) && !host.endsWith('.example.org')))
  assert.ok(asked.size > 15)
  const page = pageOf('privacy.md')
  assert.deepEqual(
    [...asked].filter((host) => !page.includes(`\`${host}\``)),
    [],
  )
})

test('docs/privacy.md and docs/upgrades.md know every store of the data directory', () => {
  const listed = pageOf('self-hosting.md').split('## Data and backup')[1]!.split('\n## ')[0]!
  const stores = [...listed.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names]) => names!.match(/`[^`]+`/g)!)
  assert.ok(stores.length > 8)
  const upgrades = pageOf('upgrades.md')
  assert.deepEqual(
    stores.filter((name) => !upgrades.includes(name)),
    [],
  )
  // Those with data about clients; the others are copies of public data.
  for (const name of ['payments.sqlite', 'screenshots', 'keys']) assert.ok(pageOf('privacy.md').includes(`\`${name}\``))
})

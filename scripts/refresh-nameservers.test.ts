import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { refreshNameservers } from './refresh-nameservers.ts'

const ZONE = `.\t86400\tIN\tSOA\ta.root-servers.net. nstld.verisign-grs.com. 2026082102 1800 900 604800 86400
.\t518400\tIN\tNS\ta.root-servers.net.
com.\t172800\tIN\tNS\ta.gtld-servers.net.
com.\t172800\tIN\tNS\tb.gtld-servers.net.
com.\t86400\tIN\tDS\t19718 13 2 8ACB
com.\t86400\tIN\tRRSIG\tDS 8 1 86400 20260901 20260819 1 . AAAA
io.\t172800\tIN\tNS\tA0.nic.io.
net.\t172800\tIN\tNS\ta.gtld-servers.net.
a.gtld-servers.net.\t172800\tIN\tAAAA\t2001:503:a83e:0:0:0:2:30
a.gtld-servers.net.\t172800\tIN\tA\t192.5.6.30
b.gtld-servers.net.\t172800\tIN\tA\t192.33.14.30
a0.nic.io.\t172800\tIN\tA\t65.22.160.17
a.root-servers.net.\t518400\tIN\tA\t198.41.0.4
`

/** Runs the script on a zone file, with or without an existing data file. */
async function run(t: TestContext, zone: string, { before, write = true }: { before?: string; write?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-nameservers-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [from, data] = [join(folder, 'root.zone'), join(folder, 'nameservers.json')]
  await writeFile(from, zone)
  if (before !== undefined) await writeFile(data, before)
  const lines: string[] = []
  const args = ['--from', from, '--data', data, ...(write ? ['--write'] : [])]
  const code = await refreshNameservers(args, { print: (line) => lines.push(line), tlds: ['com', 'io'], minTlds: 3 })
  return { code, lines, written: await readFile(data, 'utf8').catch(() => null) }
}

test('the data file has the addresses of our TLDs from the root zone, IPv4 first', async (t) => {
  const { code, written } = await run(t, ZONE)
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(written!), {
    rootZone: '2026082102',
    unsigned: ['io'],
    servers: { com: ['192.33.14.30', '192.5.6.30', '2001:503:a83e::2:30'], io: ['65.22.160.17'] },
  })
})

test('changes are printed, and written only with --write', async (t) => {
  const { written: before } = await run(t, ZONE)
  const newer = `${ZONE.replace('2026082102', '2026090100').replace('65.22.160.17', '65.22.160.18')}io. 1 IN DS 1 13 2 AA\n`
  const { code, lines, written } = await run(t, newer, { before: before!, write: false })
  assert.equal(code, 0)
  assert.deepEqual(lines, [
    'io: 1 addresses added, 1 removed',
    'io: now signed',
    'root zone: 2026082102 -> 2026090100',
    'The data file was not changed; use --write to update it.',
  ])
  assert.equal(written, before)
  assert.deepEqual((await run(t, ZONE, { before: before! })).lines, ['Nothing changed.'])
})

const rejected: Record<string, [string, RegExp]> = {
  'an older zone': [ZONE.replace('2026082102', '2026082101'), /older than ours/],
  'a web page': ['<html><body>Not found</body></html>', /not the root zone/],
  'an incomplete zone': [ZONE.split('\n').slice(0, 6).join('\n'), /only 1 TLDs/],
  'an invalid address': [ZONE.replace('192.5.6.30', '192.5.6.300'), /invalid address/],
}
for (const [what, [zone, message]] of Object.entries(rejected)) {
  test(`${what} is rejected and the data file unchanged`, async (t) => {
    const { written: before } = await run(t, ZONE)
    const { code, lines, written } = await run(t, zone, { before: before! })
    assert.equal(code, 1)
    assert.match(lines.at(-1)!, message)
    assert.equal(written, before)
  })
}

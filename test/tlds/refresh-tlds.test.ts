import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseCatalogue } from '../../src/tlds/catalogue.ts'
import { formatTldFile, parseTldFile } from '../../src/tlds/data-file.ts'
import {
  bootstrapText,
  type RefreshWorld,
  rootText,
  serverOf,
  SHIPPED,
  startRefreshWorld,
  without,
} from './refresh-tlds.fixture.ts'

describe('refreshing the TLD data', () => {
  let world: RefreshWorld
  before(async () => {
    world = await startRefreshWorld()
  })
  after(() => world.stop())
  beforeEach(() => world.reset())

  test('the shipped file has the format that the script writes', async () => {
    assert.equal(formatTldFile(world.good), await readFile(SHIPPED, 'utf8'))
  })

  test('without a change it says so, with the number of TLDs that we do not list', async () => {
    assert.deepEqual(await world.run('--write'), {
      code: 0,
      lines: ['2 TLDs of IANA are not in our list.', 'Nothing changed.'],
      text: '2 TLDs of IANA are not in our list.\nNothing changed.',
    })
  })

  describe('with changes at IANA', () => {
    beforeEach(() => {
      serverOf(world.iana, 'fun')[1] = ['http://rdap.moved.example/', 'https://rdap.moved.example/fun']
      world.iana.services.push([['io', 'at'], ['https://rdap.new.example/']])
      world.iana.services = without(world.iana.services, ([[tld]]) => tld === 'ai' || tld === 'bot')
      world.iana.root = without(world.iana.root, (tld) => tld === 'ws')
      world.iana.publication = '2026-11-14T19:00:02Z'
      world.iana.version = '2026111401'
    })
    const changes = [
      'ai: no longer has an RDAP server (was https://rdap.identitydigital.services/rdap/)',
      'at: now has an RDAP server: https://rdap.new.example/',
      'bot: no longer has an RDAP server (was https://rdap.nominet.uk/bot/)',
      'fun: RDAP server moved from https://rdap.radix.host/rdap/ to https://rdap.moved.example/fun/',
      'io: RDAP server moved from https://rdap.identitydigital.services/rdap/ to https://rdap.new.example/',
      "io: RDAP server now comes from IANA's list instead of our own table",
      'ws: left the root zone and is disabled',
      'bootstrap file: 2026-03-23T19:00:02Z -> 2026-11-14T19:00:02Z',
      'root file: 2026082001 -> 2026111401',
      '2 TLDs of IANA are not in our list.',
    ]

    test('without --write the changes are printed and the file is unchanged', async () => {
      const { code, lines } = await world.run()
      assert.deepEqual(lines, [...changes, 'The data file was not changed; use --write to update it.'])
      assert.equal(code, 0)
      assert.equal(await readFile(world.data, 'utf8'), formatTldFile(world.good))
    })

    test('--write changes only what comes from IANA', async () => {
      const { code, lines } = await world.run('--write')
      assert.deepEqual(lines, [...changes, `Wrote ${world.data}.`])
      assert.equal(code, 0)
      assert.deepEqual(await readdir(world.folder), ['tlds.json'])

      const text = await readFile(world.data, 'utf8')
      const { categories, unlistedRdap, plainHttp } = parseTldFile(text)
      assert.deepEqual(
        { categories, unlistedRdap, plainHttp },
        {
          categories: world.good.categories,
          unlistedRdap: world.good.unlistedRdap,
          plainHttp: ['ng'],
        },
      )
      const catalogue = parseCatalogue(text)
      assert.deepEqual(
        ['fun', 'io', 'at', 'ai', 'ws'].map((tld) => {
          const { rdapServer, rdapFrom, lookup, enabled, whoisServer } = catalogue.find(tld)!
          return [tld, rdapServer, rdapFrom, lookup, enabled, whoisServer]
        }),
        [
          ['fun', 'https://rdap.moved.example/fun/', 'iana', 'rdap', true, 'whois.nic.fun'],
          ['io', 'https://rdap.new.example/', 'iana', 'rdap', true, 'whois.nic.io'],
          ['at', 'https://rdap.new.example/', 'iana', 'rdap', true, 'whois.nic.at'],
          ['ai', '', null, 'whois', true, 'whois.nic.ai'],
          ['ws', '', null, 'whois', false, 'whois.website.ws'],
        ],
      )
      assert.deepEqual((await world.run('--write')).lines.at(-1), 'Nothing changed.')
    })

    test('a TLD that returns to the root zone is enabled, and our own table is used again', async () => {
      await world.run('--write')
      world.iana.root.push('ws')
      world.iana.services = without(world.iana.services, ([[tld]]) => tld === 'io')
      const { lines } = await world.run('--write')
      assert.deepEqual(lines.slice(0, 4), [
        'at: no longer has an RDAP server (was https://rdap.new.example/)',
        'io: RDAP server moved from https://rdap.new.example/ to https://rdap.identitydigital.services/rdap/',
        "io: RDAP server now comes from our own table instead of IANA's list",
        'ws: is back in the root zone and is enabled',
      ])
    })
  })

  test('--from may be a folder with the two files', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'onoma-world.iana-'))
    try {
      for (const [name, text] of [
        ['rdap/dns.json', bootstrapText(world.iana)],
        ['TLD/tlds-alpha-by-domain.txt', rootText(world.iana)],
      ] as const) {
        await mkdir(join(mirror, name, '..'), { recursive: true })
        await writeFile(join(mirror, name), text)
      }
      assert.equal((await world.run('--from', mirror)).lines.at(-1), 'Nothing changed.')
      await rm(join(mirror, 'rdap'), { recursive: true })
      assert.equal((await world.run('--from', mirror)).code, 1)
    } finally {
      await rm(mirror, { recursive: true })
    }
  })

  test('a data file that cannot be written is reported and unchanged', async () => {
    world.iana.version = '2026111401'
    const obstacle = `${world.data}.${process.pid}.tmp`
    await mkdir(obstacle)
    try {
      const { code, text } = await world.run('--write')
      assert.match(text, /the data file is unchanged: EISDIR/)
      assert.equal(code, 1)
      assert.equal(await readFile(world.data, 'utf8'), formatTldFile(world.good))
    } finally {
      await rm(obstacle, { recursive: true })
    }
  })

  test('data that the service would reject is not written', async () => {
    await writeFile(world.data, formatTldFile({ ...world.good, tlds: world.good.tlds.slice(0, -1) }))
    world.iana.version = '2026111401'
    const { code, text } = await world.run('--write')
    assert.match(text, /it has 510 TLDs, not 511/)
    assert.equal(code, 1)
    assert.deepEqual(await readdir(world.folder), ['tlds.json'])
  })

  test('as a command it prints the changes and sets the exit code', async () => {
    const command = async (...args: string[]) => {
      const script = fileURLToPath(new URL('../../scripts/refresh-tlds.ts', import.meta.url))
      const child = spawn(process.execPath, [script, '--data', world.data, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [text, code] = await Promise.all([
        child.stdout
          .setEncoding('utf8')
          .toArray()
          .then((chunks) => chunks.join('')),
        new Promise((ended) => child.once('close', ended)),
      ])
      return { text, code }
    }
    assert.deepEqual(await command('--from', world.base), {
      text: '2 TLDs of IANA are not in our list.\nNothing changed.\n',
      code: 0,
    })
    const failed = await command('--from', join(world.folder, 'nowhere'))
    assert.match(failed.text, /refresh:tlds failed/)
    assert.equal(failed.code, 1)
    assert.match((await command('--help')).text, /^usage: npm run refresh:tlds/)
  })
})

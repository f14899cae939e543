import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostsFilePath, localNames } from './hosts-file.ts'

test('the hosts file is where the system keeps it', () => {
  assert.equal(hostsFilePath('linux'), '/etc/hosts')
  assert.equal(hostsFilePath('darwin'), '/etc/hosts')
  assert.equal(hostsFilePath('win32', 'D:\\Windows'), 'D:\\Windows\\System32\\drivers\\etc\\hosts')
})

test('names of this machine and its network are left to the system, all others are not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-hosts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'hosts')
  writeFileSync(
    path,
    '127.0.0.1\tlocalhost\n10.0.0.5  Rdap.Example www.rdap.example # mail.rdap.example\n#10.0.0.6 no.example\n',
  )
  const asked: string[] = []
  const resolve = localNames({
    path,
    async system(hostname) {
      asked.push(hostname)
      return { addresses: [{ address: '10.0.0.5', family: 4 }], ttlMs: 1 }
    },
  })
  const local = ['localhost', 'redis', 'api.localhost', 'printer.local', 'rdap.example', 'www.rdap.example']
  for (const name of local) assert.equal((await resolve(name))?.addresses[0]?.address, '10.0.0.5', name)
  assert.deepEqual(asked, local)
  for (const name of ['mail.rdap.example', 'no.example', 'rdap.verisign.com', '10.0.0.5', 'local.example']) {
    assert.equal(await resolve(name), null, name)
  }
  writeFileSync(path, '10.0.0.6 no.example\n')
  assert.ok(await resolve('no.example'), 'an edit counts at once')
})

test('a machine without a hosts file has no names in it', async () => {
  const resolve = localNames({ path: '/nonexistent/hosts', system: async () => assert.fail('asked') })
  assert.equal(await resolve('rdap.example'), null)
})

test('a name that is not in the file does not wait for the file', async () => {
  const resolve = localNames({ path: hostsFilePath(process.platform), system: async () => assert.fail('asked') })
  const nextTurn = new Promise((done) => void setImmediate(done, 'the next turn of the event loop'))
  assert.equal(await Promise.race([resolve('rdap.verisign.com'), nextTurn]), null)
})

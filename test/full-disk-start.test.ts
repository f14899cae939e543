import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { openDatabase } from '../src/auctions/sources/schema.ts'
import { startServiceProcess } from './support/service-process.ts'

const ONOMA = new URL('../bin/onoma.js', import.meta.url).pathname
const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

type Part = { readonly status: string; readonly reason?: string }

/**
 * Starts the service on a small disk of its own, after `onoma doctor` has looked at it. The mount belongs to a namespace of
 * the process and ends with it.
 */
async function startOn(t: TestContext, prepare: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'onoma-test-full-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const data = join(cwd, 'data')
  mkdirSync(data)
  openDatabase(join(cwd, 'auctions.sqlite')).close()
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && { ${prepare}; } && { "$1" "${ONOMA}" doctor --json > doctor.json || true; } && exec "$@"`
  const service = await startServiceProcess({
    cwd,
    wrapper: ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, data],
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_DNS_SERVERS: '127.0.0.1:9',
      ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:9',
      ONOMA_DATA_DIR: data,
      ONOMA_TRADEMARK_INDEX: join(cwd, 'none'),
      ONOMA_AUCTIONS_SOURCE_A_URL: join(cwd, 'missing.csv'),
      ONOMA_AUCTIONS_SOURCE_A_PRESET: 'namecheap',
    },
  })
  t.after(() => service.kill())
  const get = async (path: string) => {
    const response = await fetch(service.url + path)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { parts: found } = JSON.parse(readFileSync(join(cwd, 'doctor.json'), 'utf8')) as {
    parts: readonly (Part & { readonly part: string })[]
  }
  return { get, doctor: Object.fromEntries(found.map(({ part, ...state }) => [part, state])) as Record<string, Part> }
}

const FILL = 'cat /dev/zero > "$0/filler" 2>/dev/null; true'
const WITH_AUCTIONS = 'cp auctions.sqlite "$0/"'
const READ_ONLY = 'mount -o remount,ro "$0"'

suite('a start on a disk that cannot be written', { skip: !canMount && 'no tmpfs can be mounted here' }, () => {
  for (const [what, prepare] of [
    ['full', FILL],
    ['full, with auctions', `${WITH_AUCTIONS}; ${FILL}`],
    ['read-only', READ_ONLY],
    ['read-only, with auctions', `${WITH_AUCTIONS}; ${READ_ONLY}`],
  ] as const) {
    test(`${what}: free endpoints answer, and /ready and doctor find the same`, async (t) => {
      const { get, doctor } = await startOn(t, prepare)
      for (const path of ['/health', '/v1/tlds?category=top20', '/v1/register?domain=example.com']) {
        assert.equal((await get(path)).status, 200, path)
      }
      const auctions = await get('/v1/auctions')
      assert.equal(auctions.status, 503)
      const { status, body } = await get('/ready')
      assert.equal(status, 503)
      const parts = body['parts'] as Record<string, Part>
      for (const part of ['disk', 'keys', 'auctions', 'sales', 'trademarks']) {
        assert.equal(
          doctor[part]!.status,
          parts[part]!.status,
          `${part}: ${JSON.stringify([doctor[part], parts[part]])}`,
        )
      }
      assert.deepEqual([parts['disk']!.status, parts['auctions']!.status], ['failed', 'failed'])
    })
  }
})

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { systemClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { secureRandom } from '../../kernel/random.ts'
import { openBrowser } from './browser.ts'
import { createOutbound } from './outbound.ts'

const ROOT = 0
const NOT_ROOT = 1000

suite('the browser and the user that it runs as', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-browser-'))
    // Not a browser: whether it is started at all is what counts.
    writeFileSync(join(folder, 'chromium'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(folder, 'chromium'), 0o755)
  })
  after(() => rmSync(folder, { recursive: true }))

  const tryAs = async (uid: number, browserSandbox: boolean, program: string | null = 'chromium') => {
    const warnings: string[] = []
    const infos: string[] = []
    const log = {
      debug() {},
      info: (_: object, text: string) => void infos.push(text),
      warn: (_: object, text: string) => void warnings.push(text),
      error() {},
    }
    const { browser, start, close } = openBrowser({
      config: {
        chromium: program && join(folder, program),
        browserSandbox,
        screenshots: { days: 1, megabytes: 1, s3: null },
        sandboxPages: null,
        dataDir: folder,
      },
      outbound: createOutbound({ config: { sandbox: true, namedHosts: {} }, clock: systemClock, log }),
      clock: systemClock,
      random: secureRandom,
      log,
      resolve: async () => [],
      secret: () => Buffer.from('a secret'),
      uid,
      machine: { platform: 'linux', arch: 'x64', home: folder, env: { PATH: '' } },
    })
    start()
    const atStart = warnings.join()
    const error: unknown = await browser.ready(new AbortController().signal).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    await close()
    assert.ok(error instanceof UpstreamError)
    return { failure: error.failure, message: error.message, atStart, infos }
  }

  test('as root it is not started without its sandbox unless a setting says so', async () => {
    const { failure, message, atStart } = await tryAs(ROOT, true)
    assert.equal(failure, 'not_configured')
    assert.match(message, /does not work for root; run the service as another user, or set ONOMA_BROWSER_SANDBOX=off/)
    assert.match(atStart, /^No page is visited: .*ONOMA_BROWSER_SANDBOX=off/)
  })

  test('it is started as root with the setting, and as another user', async () => {
    for (const [uid, sandbox] of [
      [ROOT, false],
      [NOT_ROOT, true],
    ] as const) {
      const { failure, message, atStart } = await tryAs(uid, sandbox)
      assert.deepEqual([failure, atStart], ['unavailable', ''], message)
    }
  })

  test('the start says which browser is used', async () => {
    assert.deepEqual((await tryAs(NOT_ROOT, true)).infos, ['Pages of /v1/intel are visited with this browser.'])
  })

  test('without a browser the start and the error say how to get one, to root as well', async () => {
    for (const uid of [ROOT, NOT_ROOT]) {
      const { message, atStart, infos } = await tryAs(uid, true, null)
      assert.match(message, /^there is no browser on this machine; run `onoma browser install`/)
      assert.deepEqual([atStart, infos], ['', [`/v1/intel answers 503: ${message}.`]])
    }
  })

  test('a configured browser that is not there is a warning', async () => {
    const { atStart } = await tryAs(NOT_ROOT, true, 'missing')
    assert.match(atStart, /^ONOMA_CHROMIUM is not a program/)
  })
})

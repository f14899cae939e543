import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { installBrowser, parseBrowserInstall } from './browser-install.ts'

const MACHINE = { platform: 'linux', arch: 'x64', home: '/home/mira', env: { PATH: '/bin' } } as const

async function install(argv: readonly string[], outcome: { code?: number; found?: string | null } = {}) {
  const lines: string[] = []
  const ran: (readonly string[])[] = []
  const isDone = await installBrowser(parseBrowserInstall(argv), {
    configured: null,
    machine: MACHINE,
    output: { write: (text) => lines.push(text) },
    signal: new AbortController().signal,
    async runNode(args) {
      ran.push(args)
      return outcome.code ?? 0
    },
    find: () => outcome.found ?? null,
  })
  return { isDone, text: lines.join(''), ran }
}

suite('onoma browser install', () => {
  test('runs the installer of the bundled Playwright, and says which browser is used', async () => {
    const { isDone, text, ran } = await install(['--with-deps'], { found: '/store/chrome-headless-shell' })
    assert.equal(isDone, true)
    assert.match(ran[0]![0]!, /playwright-core[/\\]cli\.js$/)
    assert.deepEqual(ran[0]!.slice(1), ['install', '--only-shell', '--with-deps', 'chromium'])
    assert.equal(text, 'Pages are visited with /store/chrome-headless-shell.\n')
  })

  test('fails with what to do if the download fails, or if nothing can be used afterwards', async () => {
    const failed = await install([], { code: 1 })
    assert.equal(failed.isDone, false)
    assert.match(failed.text, /package manager of this machine, or set ONOMA_CHROMIUM/)
    const missing = await install([], { found: null })
    assert.deepEqual([missing.isDone, missing.text.includes('ONOMA_CHROMIUM')], [false, true])
  })

  test('rejects an unknown option', () => {
    assert.throws(() => parseBrowserInstall(['--force']), UsageError)
  })

  test('a dry run shows what the real installer would download, without the network', async () => {
    const lines: string[] = []
    const isDone = await installBrowser(parseBrowserInstall(['--dry-run']), {
      configured: null,
      machine: { ...MACHINE, env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: '/store' } },
      output: { write: (text) => lines.push(text) },
      signal: new AbortController().signal,
    })
    assert.equal(isDone, true)
    assert.match(lines.join(''), /\/store\/chromium_headless_shell-\d+/)
  })
})

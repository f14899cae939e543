import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findChromium } from './find.ts'
import type { Machine } from './places.ts'

const linuxWith = (env: Record<string, string>): Machine => ({ platform: 'linux', arch: 'x64', home: '/nowhere', env })

test('finds the first Chromium on PATH, the smallest build first; null if there is no Chromium', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-find-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const bin of [one, two]) mkdirSync(bin)
  const machine = linuxWith({ PATH: `${one}:${two}` })
  const install = (file: string, mode = 0o755) => {
    writeFileSync(file, '')
    chmodSync(file, mode)
  }
  assert.equal(findChromium({ machine, given: 'chromium' }), null)
  mkdirSync(join(one, 'chromium'))
  install(join(one, 'headless_shell'), 0o644)
  assert.equal(findChromium({ machine, given: 'chromium' }), null)
  install(join(two, 'google-chrome'))
  assert.equal(findChromium({ machine }), join(two, 'google-chrome'))
  install(join(two, 'chromium-headless-shell'))
  assert.equal(findChromium({ machine }), join(two, 'chromium-headless-shell'))
  assert.equal(findChromium({ machine, given: 'google-chrome' }), join(two, 'google-chrome'))
  assert.equal(findChromium({ machine, given: join(two, 'google-chrome') }), join(two, 'google-chrome'))
  assert.equal(findChromium({ machine, given: '/nowhere/chromium' }), null)
})

suite('a Chromium that is not on PATH', () => {
  /** Looks on a machine that has exactly these programs. */
  const findAmong = (machine: Machine, programs: readonly string[], given?: string) => {
    const separator = machine.platform === 'win32' ? '\\' : '/'
    return findChromium({
      machine,
      given,
      files: {
        isProgram: (path) => programs.includes(path),
        list: (folder) => [
          ...new Set(
            programs.flatMap((path) =>
              path.startsWith(folder + separator) ? [path.slice(folder.length + 1).split(separator)[0]!] : [],
            ),
          ),
        ],
      },
    })
  }
  const mac: Machine = { platform: 'darwin', arch: 'arm64', home: '/Users/mira', env: { PATH: '/usr/bin:/bin' } }
  const windows: Machine = {
    platform: 'win32',
    arch: 'x64',
    home: 'C:\\Users\\mira',
    env: {
      Path: 'C:\\Windows;D:\\tools',
      LOCALAPPDATA: 'C:\\Users\\mira\\AppData\\Local',
      ProgramFiles: 'C:\\Program Files',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    },
  }
  const linux: Machine = { platform: 'linux', arch: 'x64', home: '/home/mira', env: { PATH: '/usr/bin' } }
  const shell = (store: string, revision: number, folder: string) =>
    `${store}/chromium_headless_shell-${revision}/chrome-headless-shell-${folder}/chrome-headless-shell`

  const rows: [what: string, machine: Machine, path: string][] = [
    ['in the store of Playwright on Linux', linux, shell('/home/mira/.cache/ms-playwright', 1254, 'linux64')],
    [
      'in the store of an ARM machine',
      { ...linux, arch: 'arm64' },
      shell('/home/mira/.cache/ms-playwright', 1254, 'linux-arm64'),
    ],
    [
      'in the cache folder that XDG names',
      { ...linux, env: { XDG_CACHE_HOME: '/var/cache/mira' } },
      shell('/var/cache/mira/ms-playwright', 1254, 'linux64'),
    ],
    [
      'in the store that Playwright is told',
      { ...linux, env: { PLAYWRIGHT_BROWSERS_PATH: '/srv/browsers' } },
      shell('/srv/browsers', 1254, 'linux64'),
    ],
    ['in the store, the whole browser', linux, '/home/mira/.cache/ms-playwright/chromium-1254/chrome-linux64/chrome'],
    [
      'in the store, of an older Playwright',
      linux,
      '/home/mira/.cache/ms-playwright/chromium-1000/chrome-linux/chrome',
    ],
    ['from the package of Google', linux, '/opt/google/chrome/chrome'],
    ['from the package of Microsoft', linux, '/opt/microsoft/msedge/msedge'],
    ['in the store on macOS', mac, shell('/Users/mira/Library/Caches/ms-playwright', 1254, 'mac-arm64')],
    [
      'in the store on macOS, the whole browser',
      mac,
      '/Users/mira/Library/Caches/ms-playwright/chromium-1254/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    ],
    ['in the applications of macOS', mac, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ["in one user's applications", mac, '/Users/mira/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
    [
      'in the store on Windows',
      windows,
      'C:\\Users\\mira\\AppData\\Local\\ms-playwright\\chromium_headless_shell-1254\\chrome-headless-shell-win64\\chrome-headless-shell.exe',
    ],
    ['in the programs of Windows', windows, 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
    ['as part of Windows', windows, 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'],
    ["in one user's programs", windows, 'C:\\Users\\mira\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'],
    ['on the Path of Windows, without its suffix', windows, 'D:\\tools\\chrome.exe'],
  ]
  for (const [what, machine, path] of rows)
    test(`is found ${what}`, () => {
      assert.equal(findAmong(machine, []), null)
      assert.equal(findAmong(machine, [path]), path)
    })

  test('the newest in the store wins, the small build before the whole, and PATH before both', () => {
    const store = '/home/mira/.cache/ms-playwright'
    const [older, newer] = [shell(store, 998, 'linux64'), shell(store, 1254, 'linux64')]
    const whole = `${store}/chromium-1300/chrome-linux64/chrome`
    assert.equal(findAmong(linux, [older, whole, newer]), newer)
    assert.equal(findAmong(linux, [newer, '/usr/bin/chromium']), '/usr/bin/chromium')
    // A name that only looks like a version.
    assert.equal(findAmong(linux, [`${store}/chromium-tip/chrome-linux64/chrome`]), null)
  })

  test('a configured path may be one of Windows, with or without its suffix', () => {
    const path = 'E:\\browsers\\chrome.exe'
    for (const given of [path, 'E:\\browsers\\chrome']) assert.equal(findAmong(windows, [path], given), path)
    assert.equal(findAmong(windows, ['D:\\tools\\msedge.exe'], 'msedge'), 'D:\\tools\\msedge.exe')
    assert.equal(findAmong(windows, [path], 'msedge'), null)
  })
})

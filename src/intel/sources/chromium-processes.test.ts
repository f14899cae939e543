// needs: chromium
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { browsersOf, forever, membersOf, page, program, skip, startSite } from './chromium.fixture.ts'

suite('processes of the browser', { skip }, () => {
  let site: Awaited<ReturnType<typeof startSite>>
  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  test('is restarted after the configured number of captures; running captures are finished', async (t) => {
    const browser = await site.startBrowser(t, { recycleAfter: 2, concurrent: 3 })
    site.handle(page('<p>here'))
    const captures = await Promise.all(Array.from({ length: 6 }, () => browser.visit('shop.example', forever)))
    assert.deepEqual(
      captures.map((capture) => capture.text),
      Array<string>(6).fill('here'),
    )
  })

  test('a crash of the browser fails its visit; the next visit starts a new browser', async (t) => {
    const browser = await site.startBrowser(t)
    const requested = Promise.withResolvers<void>()
    site.handle(() => requested.resolve())
    const visit = browser.visit('shop.example', forever)
    await requested.promise
    const [group, ...others] = browsersOf(process.pid)
    assert.ok(group !== undefined && others.length === 0)
    process.kill(-group, 'SIGKILL')
    await assert.rejects(visit, { name: 'UpstreamError' })
    site.handle(page('<p>here'))
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })

  test('the browser and its renderers run at a lower priority', async (t) => {
    const browser = await site.startBrowser(t, { lowPriority: true })
    const { requested, respond } = site.holdResponses('<p>here')
    const visit = browser.visit('shop.example', forever)
    await requested
    const [group] = browsersOf(process.pid)
    assert.equal(getPriority(group), 5)
    const renderers = membersOf(group!).filter(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'),
    )
    assert.ok(renderers.length > 0)
    for (const { pid } of renderers) assert.equal(getPriority(pid), 5)
    respond()
    assert.equal((await visit).text, 'here')
  })

  test('a browser that uses too much memory is killed; the next visit succeeds', async (t) => {
    const browser = await site.startBrowser(t, { maxMegabytes: 400, timeoutMs: 30_000 })
    const hungry = page(
      '<script>const all = []; setInterval(() => all.push(new Uint8Array(3e7).fill(1)), 1)</script><p>here<img src="/">',
    )
    // The image is never sent, so the page does not finish loading before it is too large.
    site.handle((request, response) =>
      request.headers.accept?.startsWith('image') ? undefined : hungry(request, response),
    )
    await assert.rejects(browser.visit('shop.example', forever), { name: 'UpstreamError' })
    assert.ok(browser.logged.includes('The browser used too much memory and was killed.'))
    site.handle(page('<p>here'))
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })

  test('visits fail without a browser, with one that does not start, and after closing', async (t) => {
    site.handle(page('<p>here'))
    const missing = await site.startBrowser(t, {}, null)
    assert.equal(missing.hasRoom(), true)
    const notConfigured = { name: 'UpstreamError', failure: 'not_configured' }
    await assert.rejects(missing.ready(forever), notConfigured)
    await assert.rejects(missing.visit('shop.example', forever), notConfigured)
    assert.deepEqual(missing.logged, ['The page could not be captured. there is no browser on this machine'])
    const broken = await site.startBrowser(t, {}, '/bin/false')
    // Several calls start it once: each attempt costs a process.
    for (let times = 0; times < 3; times += 1) {
      await assert.rejects(broken.ready(forever), { name: 'UpstreamError', failure: 'unavailable' })
      await assert.rejects(broken.visit('shop.example', forever), { name: 'UpstreamError' })
    }
    assert.equal(broken.logged.filter((line) => line.startsWith('The browser does not start.')).length, 1)
    const closed = await site.startBrowser(t)
    await closed.close()
    await assert.rejects(closed.ready(forever), { name: 'UpstreamError' })
    await assert.rejects(closed.visit('shop.example', forever), { name: 'UpstreamError' })
  })

  test('no process is left after closing, or after the service was killed', async (t) => {
    const browser = await site.startBrowser(t)
    await browser.warmUp()
    const [mine] = browsersOf(process.pid)
    assert.ok(mine !== undefined && membersOf(mine).length > 1)
    await browser.close()
    assert.deepEqual(membersOf(mine), [])

    const code = `
      import { createChromium } from ${JSON.stringify(new URL('chromium.ts', import.meta.url).href)}
      import { systemClock } from ${JSON.stringify(new URL('../../kernel/clock.ts', import.meta.url).href)}
      import { secureRandom } from ${JSON.stringify(new URL('../../kernel/random.ts', import.meta.url).href)}
      const log = { debug() {}, info() {}, warn() {}, error: console.error }
      const needs = { program: ${JSON.stringify(program)}, clock: systemClock, random: secureRandom, log, resolve: async () => [], options: { sandbox: process.getuid?.() !== 0 } }
      await (await createChromium(needs)).ready(new AbortController().signal)
      console.log('ready')`
    // A killed browser leaves its profile on disk, so it gets a folder of its own.
    const folder = mkdtempSync(join(tmpdir(), 'onoma-killed-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const service = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    })
    await once(service.stdout, 'data')
    const [theirs] = browsersOf(service.pid!)
    assert.ok(theirs !== undefined && membersOf(theirs).length > 1)
    service.kill('SIGKILL')
    await once(service, 'exit')
    // The browser exits when its pipe closes; the test ends when all its processes have exited.
    while (membersOf(theirs).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  })
})

// needs: chromium
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import { serverFor } from '../../../test/support/servers/for-suites.ts'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import type { Browser } from '../browser.ts'
import { createChromium } from './chromium.ts'

const { skip, address: program } = serverFor('chromium')
const forever = new AbortController().signal

let port: number
let site: ReturnType<typeof createServer>
let answer: RequestListener = (_request, response) => void response.end()

type Options = NonNullable<Parameters<typeof createChromium>[0]['options']>

async function start(t: TestContext, options: Options = {}, path: string | null = program) {
  const said: string[] = []
  const note = (facts: Readonly<Record<string, unknown>>, sentence: string) =>
    void said.push([sentence, ((facts['reason'] as string[] | undefined) ?? []).join()].join(': '))
  const browser = await createChromium({
    program: path,
    clock: systemClock,
    random: secureRandom,
    log: { debug: note, info: note, warn: note, error: note },
    resolve: async () => [],
    reach: (host, at) => (host.endsWith('.example') && at === 80 ? { address: '127.0.0.1', port } : undefined),
    options: { deadlineMs: 60_000, givesWay: false, ...options },
  })
  t.after(() => browser.close())
  return { ...browser, said, warmUp: () => browser.ready(forever) } satisfies Browser & {
    said: string[]
    warmUp(): unknown
  }
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        // One that has ended stays in the list until somebody asks how.
        if (state === 'Z') return []
        return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
      } catch {
        return []
      }
    })

/** The groups of the browsers a process has started: each leads one of its own. */
const browsersOf = (parent: number) =>
  processes()
    .filter((one) => one.parent === parent && one.group === one.pid && one.pid !== parent)
    .filter(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe'))
    .map(({ group }) => group)
const membersOf = (group: number) => processes().filter((one) => one.group === group)

suite('the browser', { skip }, () => {
  before(async () => {
    site = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
    await once(site, 'listening')
    port = (site.address() as AddressInfo).port
  })
  after(async () => {
    site.closeAllConnections()
    site.close()
    await once(site, 'close')
  })
  const page =
    (html: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)

  test('tells what a visitor sees: the way, the document before and after its scripts, and a picture', async (t) => {
    const browser = await start(t)
    const first =
      '<title>One</title><script src="http://other.example/x.js"></script><script>location.href = "/two"</script>'
    answer = (request, response) =>
      page(request.url === '/' ? first : '<title>Zwei ü</title><p>a  b<p id=x><script>x.textContent = "made"</script>')(
        request,
        response,
      )
    const capture = await browser.visit('shop.example', forever)
    const { screenshot, loadTimeMs, html, hosts, ...rest } = capture
    assert.deepEqual(rest, {
      finalUrl: 'http://shop.example/two',
      hops: ['http://shop.example/', 'http://shop.example/two'],
      status: 200,
      firstBody: first,
      title: 'Zwei ü',
      text: 'a b made',
    })
    assert.match(html, /<p id="x">made/)
    assert.deepEqual(hosts.toSorted(), ['other.example', 'shop.example'])
    assert.ok(loadTimeMs >= 0 && Number.isInteger(loadTimeMs))
    assert.deepEqual([...screenshot.subarray(0, 3)], [0xff, 0xd8, 0xff])
    assert.deepEqual(jpegSize(screenshot), { width: 1280, height: 800 })
  })

  test('tells the status of an error page, and shows it', async (t) => {
    const browser = await start(t)
    answer = (_request, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here')
    const capture = await browser.visit('gone.example', forever)
    assert.deepEqual([capture.status, capture.text], [404, 'Not here'])
  })

  test('what stands in frames is read, too, whoever they belong to', async (t) => {
    const browser = await start(t)
    answer = (request, response) => {
      const host = request.headers.host ?? ''
      const frames =
        '<iframe src="/same"></iframe><iframe src="http://other.example/"></iframe><iframe src="http://10.0.0.1/"></iframe>'
      page(host === 'shop.example' && request.url === '/' ? `<p>around ${frames}` : `<p>frame of ${host}`)(
        request,
        response,
      )
    }
    const capture = await browser.visit('shop.example', forever)
    assert.deepEqual(capture.text.split(' frame of ').toSorted(), ['around', 'other.example', 'shop.example'])
  })

  test('nothing of one visit is left for the next', async (t) => {
    const browser = await start(t, { concurrent: 1 })
    answer = (request, response) => {
      response.setHeader('set-cookie', 'a=1')
      const script = '<script>document.write(localStorage.x || "new"); localStorage.x = "old"</script>'
      page(`<p>${request.headers.cookie ?? 'no cookie'} ${script}`)(request, response)
    }
    for (let visit = 0; visit < 2; visit += 1) {
      assert.equal((await browser.visit('shop.example', forever)).text, 'no cookie new')
    }
  })

  test('is replaced after so many captures, and captures under way come to their end', async (t) => {
    const browser = await start(t, { recycleAfter: 2, concurrent: 3 })
    answer = page('<p>here')
    const captures = await Promise.all(Array.from({ length: 6 }, () => browser.visit('shop.example', forever)))
    assert.deepEqual(
      captures.map((capture) => capture.text),
      Array<string>(6).fill('here'),
    )
  })

  test('takes so many at once, lets so many wait, and says when there is no more room', async (t) => {
    const browser = await start(t, { concurrent: 1, queue: 1 })
    await browser.warmUp()
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    answer = (request, response) => {
      asked.resolve()
      void go.promise.then(() => page('<p>here')(request, response))
    }
    assert.equal(browser.hasRoom(), true)
    const first = browser.visit('one.example', forever)
    await asked.promise
    assert.equal(browser.hasRoom(), true)
    const second = browser.visit('two.example', forever)
    assert.equal(browser.hasRoom(), false)
    await assert.rejects(browser.visit('three.example', forever), { name: 'UpstreamError', failure: 'unavailable' })
    go.resolve()
    assert.deepEqual([(await first).text, (await second).text], ['here', 'here'])
    assert.equal(browser.hasRoom(), true)
  })

  test('a browser that dies takes its visit with it; the next visit has a new one', async (t) => {
    const browser = await start(t)
    const asked = Promise.withResolvers<void>()
    answer = () => asked.resolve()
    const visit = browser.visit('shop.example', forever)
    await asked.promise
    const [group, ...others] = browsersOf(process.pid)
    assert.ok(group !== undefined && others.length === 0)
    process.kill(-group, 'SIGKILL')
    await assert.rejects(visit, { name: 'UpstreamError' })
    answer = page('<p>here')
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })

  test('a site that shows nothing has a word of its own for it', async (t) => {
    const browser = await start(t, { deadlineMs: 9000, pictureMs: 5000 })
    await browser.warmUp()
    const problemOf = (host: string) =>
      browser.visit(host, forever).then(
        () => assert.fail('it was shown'),
        (error: unknown) => (error as { problem?: string }).problem,
      )
    assert.equal(await problemOf('nowhere.test'), 'site_not_resolved')
    answer = (request) => void request.socket.destroy()
    assert.equal(await problemOf('reset.example'), 'site_unreachable')
    answer = (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    assert.equal(await problemOf('inward.example'), 'site_not_public')
    answer = () => {}
    assert.equal(await problemOf('hanging.example'), 'site_timeout')
  })

  test('the browser lets everything else go first, and so does what shows a page', async (t) => {
    const browser = await start(t, { givesWay: true })
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    answer = (request, response) => {
      asked.resolve()
      void go.promise.then(() => page('<p>here')(request, response))
    }
    const visit = browser.visit('shop.example', forever)
    await asked.promise
    const [group] = browsersOf(process.pid)
    assert.equal(getPriority(group), 5)
    const renderers = membersOf(group!).filter(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'),
    )
    assert.ok(renderers.length > 0)
    for (const { pid } of renderers) assert.equal(getPriority(pid), 5)
    go.resolve()
    assert.equal((await visit).text, 'here')
  })

  test('a page that takes too much memory ends, and the next visit is served', async (t) => {
    const browser = await start(t, { maxMegabytes: 400, deadlineMs: 30_000 })
    answer = page(
      '<script>const all = []; setInterval(() => all.push(new Uint8Array(3e7).fill(1)), 1)</script><p>here<img src="/">',
    )
    // The picture never comes, so that the page is not done before it is too large.
    const hungry = answer
    answer = (request, response) =>
      request.headers.accept?.startsWith('image') ? undefined : hungry(request, response)
    await assert.rejects(browser.visit('shop.example', forever), { name: 'UpstreamError' })
    assert.ok(browser.said.includes('the browser took too much memory and was ended: '))
    answer = page('<p>here')
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })

  test('a visit that is called off ends at once, and one that waits never begins', async (t) => {
    const browser = await start(t, { concurrent: 1 })
    const asked = Promise.withResolvers<void>()
    answer = () => asked.resolve()
    const caller = new AbortController()
    const visits = [browser.visit('one.example', caller.signal), browser.visit('two.example', caller.signal)]
    await asked.promise
    caller.abort(new Error('called off'))
    for (const visit of visits) await assert.rejects(visit, { message: 'called off' })
    answer = page('<p>here')
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })

  test('without a browser, with one that does not start and after closing, there is nothing to show', async (t) => {
    answer = page('<p>here')
    const none = await start(t, {}, null)
    assert.equal(none.hasRoom(), true)
    const missing = { name: 'UpstreamError', failure: 'not_configured' }
    await assert.rejects(none.ready(forever), missing)
    await assert.rejects(none.visit('shop.example', forever), missing)
    assert.deepEqual(none.said, ['a page was not captured: there is no browser on this machine'])
    const broken = await start(t, {}, '/bin/false')
    // Asked often, it is tried once: each try costs a process.
    for (let times = 0; times < 3; times += 1) {
      await assert.rejects(broken.ready(forever), { name: 'UpstreamError', failure: 'unavailable' })
      await assert.rejects(broken.visit('shop.example', forever), { name: 'UpstreamError' })
    }
    assert.equal(broken.said.filter((line) => line.startsWith('the browser does not start')).length, 1)
    const closed = await start(t)
    await closed.close()
    await assert.rejects(closed.ready(forever), { name: 'UpstreamError' })
    await assert.rejects(closed.visit('shop.example', forever), { name: 'UpstreamError' })
  })

  test('closing leaves no process behind, and neither does a service that is killed', async (t) => {
    const browser = await start(t)
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
      const needs = { program: ${JSON.stringify(program)}, clock: systemClock, random: secureRandom, log, resolve: async () => [] }
      await (await createChromium(needs)).ready(new AbortController().signal)
      console.log('ready')`
    // What a killed browser leaves on disk is swept by the next one, in an hour.
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
    // The browser notices that nobody holds the other end any more; the test ends when the last of it is gone.
    while (membersOf(theirs).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  })
})

/** From the frame header, the first segment that tells it. */
function jpegSize(bytes: Uint8Array): { width: number; height: number } {
  const view = Buffer.from(bytes)
  for (let at = 2; at < view.length; at += 2 + view.readUInt16BE(at + 2)) {
    const marker = view.readUInt16BE(at)
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
  }
  return { width: 0, height: 0 }
}

// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { forever, page, skip, startSite } from './chromium.fixture.ts'

suite('captures of the browser', { skip }, () => {
  let site: Awaited<ReturnType<typeof startSite>>
  before(async () => {
    site = await startSite()
  })
  after(() => site.close())

  test('captures redirects, the document before and after scripts, and a screenshot', async (t) => {
    const browser = await site.startBrowser(t)
    const first =
      '<title>One</title><script src="http://other.example/x.js"></script><script>location.href = "/two"</script>'
    site.handle((request, response) =>
      page(request.url === '/' ? first : '<title>Zwei ü</title><p>a  b<p id=x><script>x.textContent = "made"</script>')(
        request,
        response,
      ),
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

  test('captures an error page with its status', async (t) => {
    const browser = await site.startBrowser(t)
    site.handle(
      (_request, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here'),
    )
    const capture = await browser.visit('gone.example', forever)
    assert.deepEqual([capture.status, capture.text], [404, 'Not here'])
  })

  test('the text includes that of frames, also of other origins', async (t) => {
    const browser = await site.startBrowser(t)
    site.handle((request, response) => {
      const host = request.headers.host ?? ''
      const frames =
        '<iframe src="/same"></iframe><iframe src="http://other.example/"></iframe><iframe src="http://10.0.0.1/"></iframe>'
      page(host === 'shop.example' && request.url === '/' ? `<p>around ${frames}` : `<p>frame of ${host}`)(
        request,
        response,
      )
    })
    const capture = await browser.visit('shop.example', forever)
    assert.deepEqual(capture.text.split(' frame of ').toSorted(), ['around', 'other.example', 'shop.example'])
  })

  test('visits share no cookies and no storage', async (t) => {
    const browser = await site.startBrowser(t, { concurrent: 1 })
    site.handle((request, response) => {
      response.setHeader('set-cookie', 'a=1')
      const script = '<script>document.write(localStorage.x || "new"); localStorage.x = "old"</script>'
      page(`<p>${request.headers.cookie ?? 'no cookie'} ${script}`)(request, response)
    })
    for (let visit = 0; visit < 2; visit += 1) {
      assert.equal((await browser.visit('shop.example', forever)).text, 'no cookie new')
    }
  })

  test('limits concurrent and queued captures, and rejects when the queue is full', async (t) => {
    const browser = await site.startBrowser(t, { concurrent: 1, queue: 1 })
    await browser.warmUp()
    const { requested, respond } = site.holdResponses('<p>here')
    assert.equal(browser.hasRoom(), true)
    const first = browser.visit('one.example', forever)
    await requested
    assert.equal(browser.hasRoom(), true)
    const second = browser.visit('two.example', forever)
    assert.equal(browser.hasRoom(), false)
    await assert.rejects(browser.visit('three.example', forever), { name: 'UpstreamError', failure: 'unavailable' })
    respond()
    assert.deepEqual([(await first).text, (await second).text], ['here', 'here'])
    assert.equal(browser.hasRoom(), true)
  })

  test('each reason why a site shows no page has its own code', async (t) => {
    const browser = await site.startBrowser(t, { timeoutMs: 9000, pictureMs: 5000 })
    await browser.warmUp()
    const problemOf = (host: string) =>
      browser.visit(host, forever).then(
        () => assert.fail('a page was captured'),
        (error: unknown) => (error as { problem?: string }).problem,
      )
    assert.equal(await problemOf('nowhere.test'), 'site_not_resolved')
    site.handle((request) => void request.socket.destroy())
    assert.equal(await problemOf('reset.example'), 'site_unreachable')
    site.handle((_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    assert.equal(await problemOf('inward.example'), 'site_not_public')
    site.handle(() => {})
    assert.equal(await problemOf('hanging.example'), 'site_timeout')
  })

  test('an aborted visit ends at once, and an aborted visit in the queue never starts', async (t) => {
    const browser = await site.startBrowser(t, { concurrent: 1 })
    const requested = Promise.withResolvers<void>()
    site.handle(() => requested.resolve())
    const caller = new AbortController()
    const visits = [browser.visit('one.example', caller.signal), browser.visit('two.example', caller.signal)]
    await requested.promise
    caller.abort(new Error('aborted by the caller'))
    for (const visit of visits) await assert.rejects(visit, { message: 'aborted by the caller' })
    site.handle(page('<p>here'))
    assert.equal((await browser.visit('shop.example', forever)).text, 'here')
  })
})

/** From the frame header segment. */
function jpegSize(bytes: Uint8Array): { width: number; height: number } {
  const view = Buffer.from(bytes)
  for (let at = 2; at < view.length; at += 2 + view.readUInt16BE(at + 2)) {
    const marker = view.readUInt16BE(at)
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
  }
  return { width: 0, height: 0 }
}

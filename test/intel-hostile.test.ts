// needs: chromium
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Capture } from '../src/intel/browser.ts'
import { type Chromium, createChromium } from '../src/intel/sources/chromium.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { secureRandom } from '../src/kernel/random.ts'
import { type Lure, NAVIGATIONS, SUBRESOURCES, WITHOUT_PROOF } from './support/hostile-pages.ts'
import { CONTROL, type HostileWeb, type RawSite, type Site, startHostileWeb } from './support/hostile-web.ts'
import { serverFor } from './support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const forever = new AbortController().signal

/** Names whose addresses are the attack. */
const PRIVATE_NAMES: Record<string, readonly string[]> = {
  'loopback.example': ['127.0.0.1'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'six.example': ['::1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'tunnel.example': ['2002:7f00:1::'],
  'link.example': ['169.254.169.254'],
  'rebinding.example': ['127.0.0.1'],
}

let web: HostileWeb
/** Has time for everything. */
let patient: Chromium
/** Cuts short what would never end. */
let hasty: Chromium

const url = (authority: string) => `http://${authority}:${web.canaryPort}/`
const spellings = () =>
  [
    '127.0.0.1',
    'localhost',
    'localhost.',
    'app.localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    'user:word@127.0.0.1',
    ...Object.keys(PRIVATE_NAMES),
  ].map(url)

const html =
  (body: string, headers: Record<string, string> = {}): Site =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)

const page = (body: string) => `<!doctype html><title>Hostile</title><p>still here</p>${body}`

let count = 0
/** Visits a new host that does this, then a plain one: nothing has leaked, and the browser still works. */
async function attack(site: Site, { browser = patient, prefix = 'evil' } = {}): Promise<Capture | null> {
  const host = `${prefix}${++count}.example`
  web.add(host, site)
  return finish(await browser.visit(host, forever), browser)
}

/** Just visits a new host that does this. */
function lure(site: Site, browser = patient): Promise<Capture | null> {
  const host = `evil${++count}.example`
  web.add(host, site)
  return browser.visit(host, forever)
}

/** On a busy machine a page may count as settled before its script has sent anybody on: then it is visited again. */
async function lureAway({ status = 200, headers = {}, html = '' }: Lure, isAway: (capture: Capture | null) => boolean) {
  for (let visits = 1; ; visits += 1) {
    const capture = await lure((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)
    })
    if (visits === 4 || isAway(capture)) return capture
  }
}

async function attackRaw(site: RawSite, browser = hasty): Promise<Capture | null> {
  const host = `raw${++count}.example`
  await web.addRaw(host, site)
  return finish(await browser.visit(host, forever), browser)
}

async function attackUntilShown(site: Site): Promise<Capture | null> {
  for (let visits = 1; ; visits += 1) {
    const capture = await attack(site, { browser: hasty })
    if (capture !== null || visits === 4) return capture
  }
}

async function finish(capture: Capture | null, browser: Chromium): Promise<Capture | null> {
  assert.equal(web.leaks(), 0, 'something came where nobody may come')
  if (capture) assert.match(capture.finalUrl, /^https?:\/\/(secure|evil|raw)\d+\.example\//)
  // On a busy machine a visit in a hurry may come too late; a browser that is broken is always too late.
  let plain = await browser.visit('plain.example', forever)
  for (let visits = 1; plain === null && visits < 5; visits += 1) plain = await browser.visit('plain.example', forever)
  assert.equal(plain?.text, 'A plain page.', 'the browser does not show a plain page any more')
  return capture
}

suite('hostile pages', { skip, concurrency: 3 }, () => {
  before(async () => {
    web = await startHostileWeb()
    web.add('plain.example', html('<!doctype html><title>Plain</title><p>A plain page.'))
    const needs = {
      program,
      clock: systemClock,
      random: secureRandom,
      log: silent,
      resolve: async (host: string) => PRIVATE_NAMES[host] ?? [],
      reach: (host: string, port: number) => web.reach(host, port),
    }
    // The canary's port is one of the allowed: only its address keeps everybody away.
    const common = { concurrent: 3, queue: 100, ports: [80, 443, web.canaryPort] }
    patient = await createChromium({ ...needs, options: { ...common, deadlineMs: 60_000, settleMs: 3000 } })
    hasty = await createChromium({
      ...needs,
      options: { ...common, deadlineMs: 6000, pictureMs: 4000, settleMs: 500, maxBytes: 4_000_000 },
    })
    await Promise.all([patient.warmUp(), hasty.warmUp()])
  })
  after(async () => {
    await Promise.all([patient.close(), hasty.close()])
    await web.close()
  })

  for (const [name, piece] of Object.entries(SUBRESOURCES)) {
    test(`${name}: asked for in every spelling, nothing private is reached`, async () => {
      const control = `http://${CONTROL}/${encodeURIComponent(name)}`
      const body = [control, ...spellings()].map(piece).join('\n')
      const wasTried = () => WITHOUT_PROOF.has(name) || web.tried(encodeURIComponent(name)) > 0
      // On a busy machine a page may count as quiet before its last script has run: then it is visited again.
      for (let visits = 1; visits === 1 || (visits <= 4 && !wasTried()); visits += 1) {
        const capture = await lure(html(page(body)))
        assert.equal(web.leaks(), 0)
        assert.equal(capture?.title, 'Hostile')
        assert.match(capture.text, /still here/)
      }
      assert.ok(wasTried(), 'the attack was not even tried')
    })
  }

  test('sent on to a private address in any spelling, a visit ends with nothing to show', async () => {
    const targets = [
      ...spellings(),
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'https://[fd00::1]/',
    ]
    const location =
      (target: string): Site =>
      (_request, response) =>
        void response.writeHead(302, { location: target }).end()
    await Promise.all(targets.map(async (target) => assert.equal(await lure(location(target)), null, target)))
    await finish(null, patient)
  })

  for (const [name, make] of Object.entries(NAVIGATIONS)) {
    test(`sent on to a private address by ${name}, a visit ends with nothing to show`, async () => {
      for (const target of [url('127.0.0.1'), url('rebinding.example')]) {
        const capture = await lureAway(make(target), (capture) => capture === null)
        assert.equal(capture, null, target)
      }
      assert.equal(web.leaks(), 0)
    })

    test(`sent on by ${name} to another public host, a visit ends there and tells the way`, async () => {
      const capture = await lureAway(make('http://plain.example/'), (capture) => capture?.text === 'A plain page.')
      assert.equal(capture?.finalUrl, 'http://plain.example/')
      assert.equal(capture.hops.length, 2)
      assert.equal(capture.hops[1], 'http://plain.example/')
      assert.equal(capture.text, 'A plain page.')
    })
  }

  test('a host that is private itself is not visited, whatever its spelling', async () => {
    for (const host of ['127.0.0.1', 'localhost', '0x7f000001', '[::1]', ...Object.keys(PRIVATE_NAMES)]) {
      assert.equal(await patient.visit(host, forever), null, host)
      assert.equal(await patient.visit(`${host}:${web.canaryPort}`, forever), null, host)
    }
    assert.equal(web.leaks(), 0)
  })

  for (const target of [
    'file:///etc/passwd',
    'view-source:http://plain.example/',
    'chrome://version/',
    'chrome://crash/',
    'devtools://devtools/bundled/inspector.html',
    'about:blank',
    'data:text/html,<p>data',
    'ftp://plain.example/',
    'mailto:someone@plain.example',
    'chrome-error://chromewebdata/',
    'http://plain.example:22/',
    'https://plain.example:8443/',
  ]) {
    test(`sent on to ${target}, a visit shows the page itself or nothing`, async () => {
      for (const name of ['a redirect', 'a script', ...(target.startsWith('file') ? ['a refresh', 'a form'] : [])]) {
        const { status = 200, headers = {}, html: body = '' } = NAVIGATIONS[name]!(target)
        const capture = await lure((_request, response) => {
          response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(page(body))
        }, hasty)
        if (capture) assert.equal(capture.text, 'still here')
      }
      await finish(null, hasty)
    })
  }

  const SCRIPTS: Record<string, string> = {
    'a document made of script': `location = 'javascript:"<title>Hostile</title><p>still here</p>"'`,
    'a blob as document': `location = URL.createObjectURL(new Blob(['<p>blob</p>'], { type: 'text/html' }))`,
    'a message': `alert('a'); confirm('b'); prompt('c')`,
    'a question when leaving': `onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; location = 'http://plain.example:22/'`,
    printing: 'print()',
    'a choice of files': `const i = document.createElement('input'); i.type = 'file'; document.body.append(i); i.click(); i.showPicker?.()`,
    'full screen, locks and clipboard': `document.documentElement.requestFullscreen?.().catch(() => {}); navigator.clipboard?.readText().catch(() => {}); document.body.requestPointerLock?.()`,
    permissions: `navigator.geolocation.getCurrentPosition(() => { document.title = 'granted' }); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true }).then(() => { document.title = 'granted' }, () => {})`,
    'many popups': `for (let i = 0; i < 50; i++) open('http://plain.example/' + i)`,
    'many connections': `for (let i = 0; i < 600; i++) new Image().src = 'http://c' + i + '.example/'`,
    'many sockets': `for (let i = 0; i < 300; i++) new WebSocket('ws://plain.example/' + i)`,
    'many frames': `for (let i = 0; i < 60; i++) document.body.append(document.createElement('iframe'))`,
    'closing itself': 'close(); open("", "_self").close()',
    'rewriting itself': `document.open(); document.write('<p>and here</p>'); document.close()`,
    'other words in the browser': `Object.getOwnPropertyDescriptor = () => { throw 1 }; Element.prototype.getAttribute = null; Document.prototype.querySelector = () => { throw 1 }`,
    'elements that stand in the way': `document.body.insertAdjacentHTML('beforeend', '<img name="body"><img name="documentElement"><img name="title"><img name="querySelector"><form id="location"></form>')`,
    'a worker that never rests': `new Worker(URL.createObjectURL(new Blob(['for(;;);'])))`,
  }
  for (const [name, code] of Object.entries(SCRIPTS)) {
    test(`${name}: the browser survives it`, async () => {
      const capture = await attack(html(page(`<script>${code}</script>`)), { browser: hasty })
      if (capture) {
        assert.match(capture.text, /^still here/)
        assert.equal(capture.title, 'Hostile')
      }
    })
  }

  const STUCK: Record<string, string> = {
    'a script that never ends': 'for (;;);',
    'messages that never end': 'for (;;) alert(1)',
    'a page that fills the memory': 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))',
    'a page that grows for ever': 'for (;;) document.body.append("x".repeat(1e5))',
    'a page that reloads for ever': 'location.reload()',
    'a page that moves for ever': 'location = "/" + Date.now() + Math.random()',
    'a regular expression without end': '/(a+)+$/.test("a".repeat(40) + "b")',
    'history without end': 'for (;;) history.pushState(0, "", "/" + Math.random())',
  }
  for (const [name, code] of Object.entries(STUCK)) {
    test(`${name}: the visit ends in time, and the next is served`, async () => {
      await attack(html(page(`<script>${code}</script>`)), { browser: hasty })
    })
  }

  const RESPONSES: Record<string, Site> = {
    'a document without end': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const flood = () => {
        while (!response.destroyed && response.write(`<p>${'x'.repeat(10_000)}</p>`));
      }
      response.on('drain', flood)
      flood()
    },
    'a picture of 60,000 pixels on a page of 400,000': html(
      page(
        '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="60000" height="60000"/></svg><div style="height:400000px;width:400000px;background:linear-gradient(red,blue)">',
      ),
    ),
    'a bomb of 300 megabytes': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb()),
    'a download': html('x', {
      'content-disposition': 'attachment; filename=x.exe',
      'content-type': 'application/octet-stream',
    }),
    'a type nobody knows': html('x', { 'content-type': 'application/x-nothing' }),
    'a page that is a feed without end': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=b' }).write('--b\r\n'),
    'a question for a password': (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who are you'),
    'a question for the password of the proxy': (request, response) => {
      assert.equal(request.headers['proxy-authorization'], undefined)
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="egress"' }).end('who are you')
    },
    'a redirect to itself': (_request, response) => void response.writeHead(302, { location: '/' }).end(),
    'redirects without end': ({ url = '' }, response) => void response.writeHead(302, { location: `${url}x` }).end(),
    'nothing at all': () => {},
    'nothing to see': (_request, response) => void response.writeHead(204).end(),
    'an empty page': html(''),
    'sending on for ever by refresh': html(page(''), { refresh: '0' }),
    'ten thousand cookies': (_request, response) => {
      response.setHeader(
        'set-cookie',
        Array.from({ length: 500 }, (_, at) => `c${at}=${'x'.repeat(100)}`),
      )
      response.end(page(''))
    },
  }
  for (const [name, site] of Object.entries(RESPONSES)) {
    test(`${name}: the visit ends in time, and the next is served`, async () => {
      await attack(site, { browser: hasty })
    })
  }

  test('what has come of a page that never ends is shown', async () => {
    const drip: Site = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(page(''))
      const timer = setInterval(() => response.write('<i>drip</i>'), 100)
      response.once('close', () => clearInterval(timer))
    }
    const capture = await attackUntilShown(drip)
    assert.match(capture?.text ?? '', /^still here/)
    assert.match(capture?.firstBody ?? '', /^<!doctype html><title>Hostile/)
    assert.deepEqual([...(capture?.screenshot ?? [])].slice(0, 3), [0xff, 0xd8, 0xff])
  })

  test('a page longer than a visit may cost is cut, and shown as far as it came', async () => {
    const long: Site = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(page(''))
      response.end('<!-- -->'.repeat(1_000_000))
    }
    const capture = await attackUntilShown(long)
    assert.match(capture?.text ?? '', /^still here/)
    assert.ok((capture?.html.length ?? Infinity) <= 1_048_576)
    assert.ok((capture?.firstBody.length ?? Infinity) <= 524_288)
  })

  const BYTES: Record<string, string> = {
    'no HTTP at all': 'SSH-2.0-OpenSSH_9.2\r\n',
    'a header without end': `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(300_000)}`,
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde',
    'a length and chunks':
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
    'a broken chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc',
    'a zero in a header': 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 1\r\n\r\nx',
    'a header within a header': 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\rx: y\r\n\r\n',
    'early hints without end': 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(5000),
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'a strange status': 'HTTP/1.1 999 ?\r\ncontent-length: 1\r\n\r\nx',
    'the first HTTP': '<p>still here</p>',
    'half an answer': 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx',
  }
  for (const [name, bytes] of Object.entries(BYTES)) {
    test(`an answer with ${name}: the visit ends in time, and the next is served`, async () => {
      await attackRaw((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
    })
  }

  test('a service worker lives no longer than the visit, and gets no further', async () => {
    const worker = `for (const url of ${JSON.stringify([`http://${CONTROL}/worker`, ...spellings()])}) fetch(url, { mode: 'no-cors' }).catch(() => {})`
    const body = page(
      `<script>ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/worker.js')</script>`,
    )
    const site: Site = (request, response) =>
      request.url === '/worker.js'
        ? html(worker, { 'content-type': 'text/javascript' })(request, response)
        : html(body)(request, response)
    const capture = await attack(site, { prefix: 'secure' })
    assert.equal(capture?.text, 'still here')
    assert.match(capture.finalUrl, /^https:/)
  })
})

/** 300 megabytes of spaces in 300 kilobytes. */
function bomb(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, '<b>'))
  return Buffer.concat([gzipSync('<!doctype html>'), ...Array.from({ length: 300 }, () => megabyte)])
}

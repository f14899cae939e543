import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Site } from './hostile-web.ts'

export const html =
  (body: string, headers: Record<string, string> = {}): Site =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)

export const page = (body: string) => `<!doctype html><title>Hostile</title><p>still here</p>${body}`

/** Forbidden navigation targets, each with the ways it is tried. */
export const NOWHERE: Record<string, readonly string[]> = {
  'file:///etc/passwd': ['a redirect', 'a script', 'a refresh', 'a form'],
  ...Object.fromEntries(
    [
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
    ].map((target) => [target, ['a redirect', 'a script']]),
  ),
}

/** Scripts that attack the browser. */
export const SCRIPTS: Record<string, string> = {
  'a javascript: document': `location = 'javascript:"<title>Hostile</title><p>still here</p>"'`,
  'a blob: document': `location = URL.createObjectURL(new Blob(['<p>blob</p>'], { type: 'text/html' }))`,
  'an alert': `alert('a'); confirm('b'); prompt('c')`,
  'a beforeunload dialog': `onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; location = 'http://plain.example:22/'`,
  printing: 'print()',
  'a file chooser': `const i = document.createElement('input'); i.type = 'file'; document.body.append(i); i.click(); i.showPicker?.()`,
  'full screen, locks and clipboard': `document.documentElement.requestFullscreen?.().catch(() => {}); navigator.clipboard?.readText().catch(() => {}); document.body.requestPointerLock?.()`,
  permissions: `navigator.geolocation.getCurrentPosition(() => { document.title = 'granted' }); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true }).then(() => { document.title = 'granted' }, () => {})`,
  'many popups': `for (let i = 0; i < 50; i++) open('http://plain.example/' + i)`,
  'many connections': `for (let i = 0; i < 600; i++) new Image().src = 'http://c' + i + '.example/'`,
  'many sockets': `for (let i = 0; i < 300; i++) new WebSocket('ws://plain.example/' + i)`,
  'many frames': `for (let i = 0; i < 60; i++) document.body.append(document.createElement('iframe'))`,
  'closing itself': 'close(); open("", "_self").close()',
  'rewriting itself': `document.open(); document.write('<p>and here</p>'); document.close()`,
  'overwritten browser functions': `Object.getOwnPropertyDescriptor = () => { throw 1 }; Element.prototype.getAttribute = null; Document.prototype.querySelector = () => { throw 1 }`,
  'elements named like DOM properties': `document.body.insertAdjacentHTML('beforeend', '<img name="body"><img name="documentElement"><img name="title"><img name="querySelector"><form id="location"></form>')`,
  'a busy worker': `new Worker(URL.createObjectURL(new Blob(['for(;;);'])))`,
}
/** Scripts that never end. */
export const STUCK: Record<string, string> = {
  'a script that never ends': 'for (;;);',
  'messages that never end': 'for (;;) alert(1)',
  'a page that fills the memory': 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))',
  'a page that grows for ever': 'for (;;) document.body.append("x".repeat(1e5))',
  'a page that reloads for ever': 'location.reload()',
  'endless navigation': 'location = "/" + Date.now() + Math.random()',
  'a catastrophic regular expression': '/(a+)+$/.test("a".repeat(40) + "b")',
  'endless history entries': 'for (;;) history.pushState(0, "", "/" + Math.random())',
}
/** Hostile HTTP responses, the slowest first. */
export const RESPONSES: Record<string, Site> = {
  'no response': () => {},
  'an endless document': (_request, response) => {
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
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipBomb()),
  'a download': html('x', {
    'content-disposition': 'attachment; filename=x.exe',
    'content-type': 'application/octet-stream',
  }),
  'an unknown media type': html('x', { 'content-type': 'application/x-nothing' }),
  'an endless multipart page': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=b' }).write('--b\r\n'),
  'a basic authentication challenge': (_request, response) =>
    void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who are you'),
  'a proxy authentication challenge': (request, response) => {
    assert.equal(request.headers['proxy-authorization'], undefined)
    response.writeHead(407, { 'proxy-authenticate': 'Basic realm="egress"' }).end('who are you')
  },
  'a redirect to itself': (_request, response) => void response.writeHead(302, { location: '/' }).end(),
  'endless redirects': ({ url = '' }, response) => void response.writeHead(302, { location: `${url}x` }).end(),
  'nothing to see': (_request, response) => void response.writeHead(204).end(),
  'an empty page': html(''),
  'endless refreshes': html(page(''), { refresh: '0' }),
  '500 cookies of 100 bytes': (_request, response) => {
    response.setHeader(
      'set-cookie',
      Array.from({ length: 500 }, (_, at) => `c${at}=${'x'.repeat(100)}`),
    )
    response.end(page(''))
  },
}
/** Malformed responses as raw bytes, the slowest first. */
export const BYTES: Record<string, string> = {
  'a truncated answer': 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx',
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  'no HTTP at all': 'SSH-2.0-OpenSSH_9.2\r\n',
  'an endless header': `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(300_000)}`,
  'two Content-Length headers': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde',
  'Content-Length and chunks':
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
  'a broken chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc',
  'a NUL in a header': 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 1\r\n\r\nx',
  'a nested header line': 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\rx: y\r\n\r\n',
  'endless early hints': 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(5000),
  'a strange status': 'HTTP/1.1 999 ?\r\ncontent-length: 1\r\n\r\nx',
  'HTTP/0.9': '<p>still here</p>',
}
/** A gzip bomb: 300 MB of markup in 300 KB. */
function gzipBomb(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, '<b>'))
  return Buffer.concat([gzipSync('<!doctype html>'), ...Array.from({ length: 300 }, () => megabyte)])
}

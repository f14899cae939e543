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
/** Scripts that never end. */
export const STUCK: Record<string, string> = {
  'a script that never ends': 'for (;;);',
  'messages that never end': 'for (;;) alert(1)',
  'a page that fills the memory': 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))',
  'a page that grows for ever': 'for (;;) document.body.append("x".repeat(1e5))',
  'a page that reloads for ever': 'location.reload()',
  'a page that moves for ever': 'location = "/" + Date.now() + Math.random()',
  'a regular expression without end': '/(a+)+$/.test("a".repeat(40) + "b")',
  'history without end': 'for (;;) history.pushState(0, "", "/" + Math.random())',
}
/** Hostile HTTP responses, the slowest first. */
export const RESPONSES: Record<string, Site> = {
  'nothing at all': () => {},
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
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipBomb()),
  'a download': html('x', {
    'content-disposition': 'attachment; filename=x.exe',
    'content-type': 'application/octet-stream',
  }),
  'an unknown media type': html('x', { 'content-type': 'application/x-nothing' }),
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
/** Malformed responses as raw bytes, the slowest first. */
export const BYTES: Record<string, string> = {
  'half an answer': 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nx',
  'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  'no HTTP at all': 'SSH-2.0-OpenSSH_9.2\r\n',
  'a header without end': `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(300_000)}`,
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde',
  'a length and chunks':
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
  'a broken chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc',
  'a zero in a header': 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 1\r\n\r\nx',
  'a header within a header': 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\rx: y\r\n\r\n',
  'early hints without end': 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(5000),
  'a strange status': 'HTTP/1.1 999 ?\r\ncontent-length: 1\r\n\r\nx',
  'the first HTTP': '<p>still here</p>',
}
/** A gzip bomb: 300 MB of markup in 300 KB. */
function gzipBomb(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, '<b>'))
  return Buffer.concat([gzipSync('<!doctype html>'), ...Array.from({ length: 300 }, () => megabyte)])
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SENTENCE = 'A small page of a small shop with a picture, a little style and a little script of its own. '
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="#357"/></svg>'
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A small page</title><link rel="stylesheet" href="/style.css"></head><body><h1>A small page</h1><img src="/picture.svg" alt="">${`<p>${SENTENCE.repeat(4)}</p>`.repeat(8)}<script src="/script.js"></script></body></html>`

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': ['text/html; charset=utf-8', PAGE],
  '/style.css': ['text/css', 'body{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto}img{float:right}'],
  '/picture.svg': ['image/svg+xml', PICTURE],
  '/script.js': [
    'text/javascript',
    'document.body.append(Object.assign(document.createElement("p"), { textContent: "Hello." }))',
  ],
}

export type SmallPage = { readonly port: number; stop(): Promise<void> }

/** Serves a small page of four files, under any host name. */
export async function serveSmallPage(): Promise<SmallPage> {
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = FILES[url] ?? ['text/plain', '']
    response.writeHead(url in FILES ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ApiError } from '../../kernel/errors.ts'
import type { Mount } from '../http/exchange.ts'
import { sendBytes } from '../http/send.ts'

type Asset = { readonly url: string; readonly type: string; readonly bytes: Buffer }

const FILES = {
  style: { file: 'onoma.css', type: 'text/css; charset=utf-8' },
  script: { file: 'onoma.js', type: 'text/javascript; charset=utf-8' },
  docs: { file: 'docs.js', type: 'text/javascript; charset=utf-8' },
}
/** A year: another content has another address. */
const CACHED = 'public, max-age=31536000, immutable'

export type Assets = Readonly<Record<keyof typeof FILES, Asset>>

/** The files that pages load. Each address contains a hash of the content. */
export function loadAssets(): Assets {
  const load = ({ file, type }: { file: string; type: string }): Asset => {
    const bytes = readFileSync(new URL(`./assets/${file}`, import.meta.url))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    return { url: `/assets/${hash}-${file}`, type, bytes }
  }
  return { style: load(FILES.style), script: load(FILES.script), docs: load(FILES.docs) }
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="19" r="10" fill="none" stroke="#85175a" stroke-width="4"/><path d="M17 7l4-6" stroke="#85175a" stroke-width="3"/></svg>'

export function assetMounts(assets: Assets): Mount[] {
  const byUrl = new Map(Object.values(assets).map((asset) => [asset.url, asset]))
  return [
    {
      name: 'assets',
      methods: ['GET'],
      path: '/assets/{file}',
      rate: 'document',
      handle(exchange) {
        const asset = byUrl.get(new URL(exchange.request.url ?? '', 'http://localhost').pathname)
        if (!asset) throw new ApiError('not_found', 'There is no such file.')
        sendBytes(exchange, asset.bytes, asset.type, CACHED)
      },
    },
    {
      name: 'favicon',
      methods: ['GET'],
      path: '/favicon.svg',
      rate: 'document',
      handle: (exchange) => sendBytes(exchange, Buffer.from(ICON), 'image/svg+xml', 'public, max-age=86400'),
    },
  ]
}

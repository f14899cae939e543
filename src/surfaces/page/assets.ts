import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ApiError } from '../../kernel/errors.ts'
import type { Mount } from '../http/exchange.ts'
import { sendBytes } from '../http/send.ts'

type Asset = { readonly url: string; readonly type: string; readonly bytes: Buffer }

const STYLE = 'onoma.css'
const SCRIPT = 'onoma.js'
const DOCS_SCRIPT = 'docs.js'
/** A year: another content has another address. */
const CACHED = 'public, max-age=31536000, immutable'
/** How one module names another one. */
const IMPORT = /(?<=['"]\.\/)[\w-]+\.js(?=['"])/g

export type Assets = {
  readonly style: Asset
  readonly script: Asset
  /** Of the reference. */
  readonly docs: Asset
  /** All files that pages load, also those that the script imports. */
  readonly all: readonly Asset[]
}

/** The files that pages load. Each address contains a hash of the content, and of what the content imports. */
export function loadAssets(): Assets {
  const loaded = new Map<string, Asset>()
  const load = (file: string, type: string, addressesOf: (text: string) => string): Asset => {
    const known = loaded.get(file)
    if (known) return known
    const bytes = Buffer.from(addressesOf(readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8')))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const asset = { url: `/assets/${hash}-${file}`, type, bytes }
    loaded.set(file, asset)
    return asset
  }
  const loadScript = (file: string): Asset =>
    load(file, 'text/javascript; charset=utf-8', (text) =>
      text.replaceAll(IMPORT, (name) => loadScript(name).url.slice('/assets/'.length)),
    )
  const style = load(STYLE, 'text/css; charset=utf-8', (text) => text)
  const script = loadScript(SCRIPT)
  const docs = loadScript(DOCS_SCRIPT)
  return { style, script, docs, all: [...loaded.values()] }
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="19" r="10" fill="none" stroke="#85175a" stroke-width="4"/><path d="M17 7l4-6" stroke="#85175a" stroke-width="3"/></svg>'

export function assetMounts(assets: Assets): Mount[] {
  const byUrl = new Map(assets.all.map((asset) => [asset.url, asset]))
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

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadAssets } from '../../src/surfaces/page/assets.ts'

const MAX_SCRIPT_BYTES = 30 * 1024
const MAX_STYLE_BYTES = 12 * 1024
const { all, script, style } = loadAssets()
const sizeOf = ({ bytes }: { bytes: Uint8Array }) => gzipSync(bytes).length

test('all scripts together have at most 30 KB, and the style sheet 12 KB, compressed', () => {
  const scripts = all.filter(({ url }) => url.endsWith('.js'))
  const sum = scripts.reduce((bytes, one) => bytes + sizeOf(one), 0)
  assert.ok(sum <= MAX_SCRIPT_BYTES, `${sum} bytes of script`)
  assert.ok(sizeOf(style) <= MAX_STYLE_BYTES, `${sizeOf(style)} bytes of style`)
})

test('every script is served, and imports others by the address with their hash', () => {
  const folder = new URL('../../src/surfaces/page/assets/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const served = new Set(all.map(({ url }) => url.replace(/^\/assets\/[\da-f]{12}-/, '')))
  for (const file of files) assert.ok(served.has(file), `${file} is not served`)
  for (const { url, bytes } of all.filter((one) => one.url.endsWith('.js'))) {
    for (const [imported] of bytes.toString().matchAll(/(?<=['"]\.\/)[\w-]+\.js(?=['"])/g))
      assert.ok(
        all.some((one) => one.url === `/assets/${imported}`),
        `${url} imports ${imported}`,
      )
  }
  assert.match(script.url, /^\/assets\/[\da-f]{12}-onoma\.js$/)
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pages, ROOT } from './fences.ts'

const FOLDER = 'docs/pictures'
const MAX_README_LINES = 200
const MAX_PICTURE_BYTES = 200 * 1024
const MAX_TOTAL_BYTES = 600 * 1024
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Throws for what is no PNG. */
function sizeOf(png: Buffer): { width: number; height: number } {
  assert.ok(png.subarray(0, 8).equals(PNG_SIGNATURE), 'not a PNG')
  assert.equal(png.toString('latin1', 12, 16), 'IHDR')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

suite('the README and its pictures', () => {
  test(`the README has ${MAX_README_LINES} lines at most`, () => {
    assert.ok(textOf('README.md').trimEnd().split('\n').length <= MAX_README_LINES)
  })

  test('the page of a name is shown at the top of the README, with its width and a text for those who do not see it', () => {
    const top = textOf('README.md').split('\n').slice(0, 5).join('\n')
    const [, source, alternative] = /<img src="([^"]+)" width="\d+" alt="([^"]+)">/.exec(top) ?? []
    assert.equal(source, `${FOLDER}/name.png`)
    assert.ok(alternative!.length > 40)
  })

  test('every picture of a page exists', () => {
    const named = pages().flatMap((file) =>
      [...textOf(file).matchAll(/[\w/.-]*pictures\/[\w.-]+\.png/g)].map(([path]) => ({ file, path })),
    )
    assert.ok(named.length > 0)
    const missing = named.filter(({ file, path }) => !existsSync(join(ROOT, file, '..', path)))
    assert.deepEqual(missing, [])
  })

  test('the pictures are those that npm run shots takes, are small, and show something', () => {
    const files = readdirSync(join(ROOT, FOLDER)).toSorted()
    const taken = [...textOf('scripts/shots.ts').matchAll(/file: '([\w-]+\.png)'/g)].map(([, file]) => file!)
    assert.deepEqual(files, taken.toSorted())
    let total = 0
    for (const file of files) {
      const png = readFileSync(join(ROOT, FOLDER, file))
      const { width, height } = sizeOf(png)
      assert.ok([390, 1280].includes(width) && height >= 600 && height <= 1000, `${file}: ${width} × ${height}`)
      // An empty page of this size has a few kilobytes.
      assert.ok(png.length > 20 * 1024 && png.length <= MAX_PICTURE_BYTES, `${file}: ${png.length}`)
      total += png.length
    }
    assert.ok(total <= MAX_TOTAL_BYTES, String(total))
  })

  test('the image does not contain them', () => {
    const rules = textOf('.dockerignore').split('\n')
    assert.ok(rules.indexOf(FOLDER) > rules.indexOf('!docs'))
  })

  test('npm run shots says that there is no browser, and what to do, before it starts anything', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-shots-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/shots.ts'), folder], {
      env: { ONOMA_CHROMIUM: join(folder, 'missing') },
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout, readdirSync(folder)], [1, '', []])
    assert.match(stderr, /no browser .* onoma browser install.* ONOMA_CHROMIUM/)
  })
})

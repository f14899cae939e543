// needs: chromium
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PageBrowser, startPageBrowser } from '../support/page-browser.ts'
import { assertKeyboard, assertLooks, assertNoSidewaysScroll, COUNT_SHIFTS } from '../support/page-checks.ts'
import { serverFor } from '../support/servers/for-suites.ts'

const { skip, address: program } = serverFor('chromium')
const LIST = 'taken-shop.com\nfree-shop.com\nbad name.com\nreserved-shop.com\nbücher.de\n=cmd.com\n<script>.com'

suite('lists, in a browser', { skip }, () => {
  let pages: PageBrowser
  before(async () => {
    pages = await startPageBrowser(program)
  })
  after(() => pages?.stop())

  const check = async (page: Page, list: string): Promise<void> => {
    await page.fill('#names', list)
    await page.getByRole('button', { name: 'Check the list' }).click()
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  }
  const rows = (page: Page) =>
    page
      .locator('.rows tbody tr')
      .evaluateAll((found) =>
        found.map((row) =>
          Array.from((row as unknown as { cells: { textContent: string }[] }).cells, (cell) => cell.textContent.trim()),
        ),
      )

  test('the form and its results are readable and reachable in every look', async () => {
    await pages.visit('/bulk', { bypassCSP: true }, async (page) => {
      await assertKeyboard(page, 'the form')
      await assertLooks(page, 'the form')
      await check(page, LIST)
      await assertKeyboard(page, 'the results')
      await assertLooks(page, 'the results')
    })
  })

  test('nothing scrolls sideways at 320 pixels, and nothing moves while rows arrive', async () => {
    const options = { viewport: { width: 320, height: 800 }, initScript: COUNT_SHIFTS }
    await pages.visit('/bulk', options, async (page) => {
      await check(page, LIST)
      await assertNoSidewaysScroll(page, 'results')
      assert.equal(await page.evaluate('window.shifts'), 0)
    })
  })

  test('a list is checked, filtered and sorted by the address, and Back works', async () => {
    await pages.visit('/bulk', {}, async (page) => {
      await check(page, LIST)
      assert.equal((await rows(page)).length, 7)
      await page.selectOption('select[name=state]', 'free')
      assert.equal(new URL(page.url()).search, '?state=free')
      assert.deepEqual(
        (await rows(page)).map(([, state]) => state),
        Array.from(await rows(page), () => 'free'),
      )
      await page.selectOption('select[name=sort]', 'name')
      await page.goBack()
      await page.goBack()
      assert.equal(new URL(page.url()).search, '')
      assert.equal((await rows(page)).length, 7)
    })
  })

  test('the result is saved as CSV, without formulas and in the order that is shown', async () => {
    await pages.visit('/bulk?sort=line', {}, async (page) => {
      await check(page, LIST)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as CSV' }).click(),
      ])
      const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
      assert.equal(download.suggestedFilename(), 'onoma.csv')
      assert.equal(lines[0], 'line,name,domain,state,note')
      assert.match(lines[1]!, /^1,taken-shop\.com,taken-shop\.com,taken,/)
      assert.match(lines[5]!, /^5,bücher\.de,xn--bcher-kva\.de,(?:free|taken),xn--bcher-kva\.de$/)
      assert.match(lines[6]!, /^6,'=cmd\.com,'=cmd\.com,invalid,/)
    })
  })

  test('a file with a BOM, CRLF, blank lines, repeats and a header becomes a list', async () => {
    const text = `\uFEFFid;domain\r\n1;taken-shop.com\r\n\r\n2;"free-shop.com"\r\n3;TAKEN-shop.com\r\n`
    await pages.visit('/bulk', {}, async (page) => {
      await page.setInputFiles('#file', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await page.getByText('2 names from list.csv, 1 repeats left out').waitFor()
      assert.equal(await page.inputValue('#names'), 'taken-shop.com\nfree-shop.com')
    })
  })

  test('10,000 rows are pasted or dropped as a file, and all of them arrive, are sorted, filtered and saved', async () => {
    // Most of them are refused without a query: the registry is not what is tested.
    const names = Array.from({ length: 10_000 }, (_, at) => `${at % 1000 === 1 ? 'taken-' : 'no_'}list${at}.com`)
    const lines = names.flatMap((name, at) => (at % 10 === 0 ? [name, '', name.toUpperCase()] : [name]))
    const csv = ['id,domain', ...lines.map((name, at) => (name === '' ? '' : `${at},"${name}"`))]
    const put = {
      pasted: `{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ${JSON.stringify(`\uFEFF${lines.join('\r\n')}\r\n`)})
        document.getElementById('names').dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
      }`,
      dropped: `{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([${JSON.stringify(`\uFEFF${csv.join('\r\n')}\r\n`)}], 'list.csv'))
        document.getElementById('names').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      }`,
    }
    await pages.visit('/bulk', { bypassCSP: true }, async (page) => {
      for (const [how, script] of Object.entries(put)) {
        await page.fill('#names', '')
        await page.evaluate(script)
        await page.waitForFunction(`document.getElementById('names').value.length > 100_000`)
        await page.selectOption('select[name=sort]', 'line')
        await page.selectOption('select[name=state]', '')
        await page.getByRole('button', { name: 'Check the list' }).click()
        await page.getByRole('heading', { name: '10,000 of 10,000' }).waitFor()
        await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
        const shown = (await rows(page)).map(([, , name]) => name)
        assert.deepEqual(shown, names.slice(0, shown.length), how)
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save as CSV' }).click(),
        ])
        const [, ...saved] = readFileSync(await download.path(), 'utf8')
          .trimEnd()
          .split('\r\n')
        assert.deepEqual(
          saved.map((line) => line.split(',')[1]),
          names,
          how,
        )
        await page.selectOption('select[name=state]', 'taken')
        assert.deepEqual(
          (await rows(page)).map(([, , name]) => name),
          names.filter((name) => name.startsWith('taken')),
          how,
        )
      }
    })
  })

  test('a real file of 200 MB is refused before it is read', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'onoma-test-lists-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    // Sparse: it takes no room on the disk.
    writeFileSync(join(folder, 'huge.csv'), '')
    truncateSync(join(folder, 'huge.csv'), 200 * 1024 * 1024)
    const initScript = `Blob.prototype.text = Blob.prototype.stream = Blob.prototype.arrayBuffer = () => { throw new Error('the file was read') }`
    await pages.visit('/bulk', { initScript }, async (page) => {
      await page.setInputFiles('#file', join(folder, 'huge.csv'))
      await page.getByText('huge.csv has 200 MB').waitFor()
      assert.equal(await page.inputValue('#names'), '')
    })
  })

  test('a drop of 200 MB is refused before it is read', async () => {
    await pages.visit('/bulk', {}, async (page) => {
      // The file says its size; reading it would fail the test.
      await page.evaluate(`{
        const file = new File(['a'], 'huge.csv')
        Object.defineProperty(file, 'size', { value: 200 * 1024 * 1024 })
        file.text = () => { throw new Error('the file was read') }
        const event = new Event('drop', { bubbles: true, cancelable: true })
        Object.defineProperty(event, 'dataTransfer', { value: { files: [file] } })
        document.getElementById('names').dispatchEvent(event)
      }`)
      await page.getByText('huge.csv has 200 MB').waitFor()
    })
  })

  test('more than 10,000 domains are refused before they are sent', async () => {
    await pages.visit('/bulk', {}, async (page) => {
      await page.evaluate(`{
        const text = Array.from({ length: 10_001 }, (_, at) => 'name-' + at + '.com').join('\\r\\n')
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        document.getElementById('names').dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
      }`)
      await page.getByRole('button', { name: 'Check the list' }).click()
      await page.getByText('These are 10,001 domains; at most 10,000 can be checked at once.').waitFor()
    })
  })

  test('without a script the form streams the table, filtered and sorted', async () => {
    await pages.visit('/bulk', { javaScriptEnabled: false }, async (page) => {
      await page.fill('#names', LIST)
      await page.selectOption('select[name=sort]', 'line')
      await page.getByRole('button', { name: 'Check the list' }).click()
      await page.getByText('3 invalid', { exact: true }).waitFor()
      const lines = await page.locator('.rows tbody tr > td:first-child').allTextContents()
      assert.deepEqual(lines, ['1', '2', '3', '4', '5', '6', '7'])
      assert.match(await page.title(), /^Bulk: \d free/)
      assert.equal(await page.inputValue('#names'), LIST)
      assert.equal(await page.locator('#file').isVisible(), false)
      await page.selectOption('select[name=state]', 'reserved')
      await page.getByRole('button', { name: 'Check the list' }).click()
      assert.deepEqual(await page.locator('.rows tbody th').allTextContents(), ['reserved-shop.com'])
    })
  })

  test('the table without a script has no accessibility problem, and prints without the form', async () => {
    const { url } = pages.service
    const answer = await fetch(`${url}/bulk`, { method: 'POST', body: new URLSearchParams({ names: LIST }) })
    assert.match(answer.headers.get('content-security-policy')!, /script-src 'self'/)
    const markup = await answer.text()
    assert.ok(!markup.includes('<script>.com'), 'a name is never markup')
    await pages.visit('/bulk', { javaScriptEnabled: false }, async (page) => {
      await page.fill('#names', LIST)
      await page.getByRole('button', { name: 'Check the list' }).click()
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('#names').isVisible(), false)
      assert.equal(await page.locator('.rows').isVisible(), true)
    })
  })
})

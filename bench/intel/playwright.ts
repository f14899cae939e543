/** The baseline: playwright alone captures the same page and screenshot, without proxy, checks or queue. */
import { chromium } from 'playwright-core'
import { thisMachine } from '../../src/app/wiring/machine.ts'
import { findChromium } from '../../src/intel/sources/chromium/find.ts'
import { serveCaptures } from './captures.ts'

const port = Number(process.argv[2])
const given = process.env['ONOMA_CHROMIUM']
const program = findChromium({ given, machine: thisMachine() })
if (program === null) throw new Error('No Chromium found. Install one on PATH or set ONOMA_CHROMIUM.')
const browser = await chromium.launch({ executablePath: program, chromiumSandbox: process.getuid?.() !== 0 })
serveCaptures(async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    const [text] = await Promise.all([
      page.innerText('body'),
      page.content(),
      page.screenshot({ type: 'jpeg', quality: 70 }),
    ])
    if (!text.endsWith('Hello.')) throw new Error('The page was not captured.')
  } finally {
    await context.close()
  }
})
process.once('SIGTERM', () => void browser.close().then(() => process.exit(0)))
process.stdout.write(`${JSON.stringify({ ready: true })}\n`)

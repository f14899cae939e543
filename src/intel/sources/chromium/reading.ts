import type { CDPSession, Page } from 'playwright-core'

/** The current state of a page. */
export type Reading = {
  readonly url: string
  readonly title: string
  readonly html: string
  readonly text: string
  /** Whether it has scripts, frames or a refresh that may still change it. */
  readonly live: boolean
  /** Delay of its meta refresh; null without one. */
  readonly refreshSeconds: number | null
}

const MAX_HTML_LENGTH = 1024 * 1024
const MAX_TEXT_LENGTH = 100_000
const MAX_FRAME_TEXT_LENGTH = 20_000
const MAX_FRAMES = 5
const MAX_TITLE_LENGTH = 1000
const MAX_URL_LENGTH = 2048
const READ_TIMEOUT_MS = 3000

/**
 * Runs in an isolated world, out of reach of the page's scripts. An element named "body" or "title" would still shadow
 * `document.body`, so properties are read through the prototypes.
 */
const SCRIPT = `(() => {
  const get = (type, name, of) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(of)
  const find = (selector) => Document.prototype.querySelector.call(document, selector)
  const root = get(Document, 'documentElement', document)
  const body = find('body')
  const live = find('script, [onload], [onerror], iframe, frame, object, embed, meta[http-equiv=refresh i]') !== null
  const refresh = find('meta[http-equiv=refresh i]')
  return {
    url: location.href,
    title: get(Document, 'title', document).slice(0, ${MAX_TITLE_LENGTH}),
    html: root === null ? '' : get(Element, 'outerHTML', root).slice(0, ${MAX_HTML_LENGTH}),
    text: body === null ? '' : get(HTMLElement, 'innerText', body).slice(0, ${2 * MAX_TEXT_LENGTH}),
    live,
    refresh: refresh === null ? null : (Element.prototype.getAttribute.call(refresh, 'content') || '').slice(0, 20),
  }
})()`

/** Throws if the page is gone, or its scripts block it until the timeout. */
export async function readPage(session: CDPSession, frameId: string): Promise<Reading> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'reading' })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: SCRIPT,
    returnByValue: true,
    timeout: READ_TIMEOUT_MS,
  })
  if (exceptionDetails) throw new Error(`the page cannot be read: ${exceptionDetails.text}`)
  const { url, title, html, text, live, refresh } = (result.value ?? {}) as Record<string, unknown>
  return {
    url: String(url).slice(0, MAX_URL_LENGTH),
    title: String(title).slice(0, MAX_TITLE_LENGTH),
    html: String(html).slice(0, MAX_HTML_LENGTH),
    text: oneLine(String(text)).slice(0, MAX_TEXT_LENGTH),
    live: live === true,
    refreshSeconds: typeof refresh === 'string' && /^\s*\d+/.test(refresh) ? Number.parseInt(refresh, 10) : null,
  }
}

const FRAME_SCRIPT = `(() => {
  // Chromium's own error page is not content of the frame.
  if (location.protocol === 'chrome-error:') return ''
  const body = Document.prototype.querySelector.call(document, 'body')
  return body === null ? '' : Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText').get.call(body).slice(0, ${MAX_FRAME_TEXT_LENGTH})
})()`

/** The text of the frames of a page: many parked names only show a page of another site in a frame. */
export async function readFrames(page: Page, session: CDPSession): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const within = (frameTree.childFrames ?? []).slice(0, MAX_FRAMES).map(({ frame }) => readFrame(session, frame.id))
  // Frames of other sites run in their own processes and need their own session.
  const elsewhere = page
    .frames()
    .slice(1, MAX_FRAMES + 1)
    .map(async (frame) => {
      const own = await page.context().newCDPSession(frame)
      const { frameTree } = await own.send('Page.getFrameTree')
      return readFrame(own, frameTree.frame.id)
    })
  const texts = await Promise.allSettled([...within, ...elsewhere])
  return texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : [])).join(' ')
}

async function readFrame(session: CDPSession, frameId: string): Promise<string> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'reading' })
  const how = { contextId: executionContextId, expression: FRAME_SCRIPT, returnByValue: true, timeout: READ_TIMEOUT_MS }
  const { result } = await session.send('Runtime.evaluate', how)
  return typeof result.value === 'string' ? oneLine(result.value).slice(0, MAX_FRAME_TEXT_LENGTH) : ''
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A JPEG of the viewport. */
export async function takeScreenshot(session: CDPSession): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 70 })
  return Buffer.from(data, 'base64')
}

/** Stops the scripts and the loading of a page that does not respond. */
export async function stopScripts(session: CDPSession): Promise<void> {
  await Promise.allSettled([
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('Runtime.terminateExecution'),
    session.send('Page.stopLoading'),
  ])
}

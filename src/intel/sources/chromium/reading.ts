import type { CDPSession, Page } from 'playwright-core'

/** What is on the page now. */
export type Reading = {
  readonly url: string
  readonly title: string
  readonly html: string
  readonly text: string
  /** Whether something on it may still change it. */
  readonly live: boolean
  /** Seconds until it sends its visitor on by itself; null where it does not say so. */
  readonly refreshSeconds: number | null
}

const MAX_HTML_LENGTH = 1024 * 1024
const MAX_TEXT_LENGTH = 100_000
const MAX_FRAME_TEXT_LENGTH = 20_000
const MAX_FRAMES = 5
const MAX_TITLE_LENGTH = 1000
const MAX_URL_LENGTH = 2048
const READ_MS = 3000

/**
 * Runs beside the page's own scripts, in a world they cannot touch. An element called "body" or "title" would still
 * stand in the way of `document.body`, so everything is asked of the prototypes.
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

/** Throws where the page does not let itself be read: it is gone, or its scripts never rest. */
export async function readPage(session: CDPSession, frameId: string): Promise<Reading> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'reading' })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: SCRIPT,
    returnByValue: true,
    timeout: READ_MS,
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
  // The browser's own words for a frame it could not fill are nobody's page.
  if (location.protocol === 'chrome-error:') return ''
  const body = Document.prototype.querySelector.call(document, 'body')
  return body === null ? '' : Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText').get.call(body).slice(0, ${MAX_FRAME_TEXT_LENGTH})
})()`

/** What can be read in the frames of a page: many a parked name is nothing but a frame around somebody else's page. */
export async function readFrames(page: Page, session: CDPSession): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const within = (frameTree.childFrames ?? []).slice(0, MAX_FRAMES).map(({ frame }) => readFrame(session, frame.id))
  // Frames of other sites live in processes of their own, and are asked there.
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
  const how = { contextId: executionContextId, expression: FRAME_SCRIPT, returnByValue: true, timeout: READ_MS }
  const { result } = await session.send('Runtime.evaluate', how)
  return typeof result.value === 'string' ? oneLine(result.value).slice(0, MAX_FRAME_TEXT_LENGTH) : ''
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The part of the page a visitor sees first. */
export async function photograph(session: CDPSession): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: 70 })
  return Buffer.from(data, 'base64')
}

/** Stops a page whose scripts never rest: what it shows by then is what there is to see. */
export async function silence(session: CDPSession): Promise<void> {
  await Promise.allSettled([
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('Runtime.terminateExecution'),
    session.send('Page.stopLoading'),
  ])
}

import { type Html, markup } from '../page/html.ts'
import { type Frame, framePage } from './frame.ts'
import type { Guide } from './guides.ts'

const MIN_HEADINGS = 3

/** A guide, with its headings at the top if it is long. */
export function guidePage(frame: Frame, guide: Guide): Html {
  const { html, headings } = guide.render()
  const sections = headings.filter(({ depth }) => depth === 2)
  return framePage(frame, {
    title: guide.title,
    description: `Guide: ${guide.title}.`,
    path: guide.page,
    content: markup`<article class="guide">
${html}
${
  sections.length >= MIN_HEADINGS &&
  markup`<nav class="toc" aria-label="On this page"><b>On this page</b><ul>${sections.map(({ id, text }) => markup`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
}
</article>`,
  })
}

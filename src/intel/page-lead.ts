import type { Block } from './page.ts'
import { isUnspaced } from './phrases-match.ts'

/** The lead ends after this many words outside of links. */
const MAX_LEAD_WORDS = 30
/** Longer paragraphs are truncated in the lead. */
const MAX_BLOCK_LENGTH = 200

/** The beginning of a page, the headings in it, and the number of words on the page outside of links and footers. */
export function extractLead(blocks: readonly Block[]): { lead: string; headings: string; prose: number } {
  const lead: string[] = []
  const headings: string[] = []
  let prose = 0
  for (const { text, outsideLinks, isHeading, isAside } of blocks) {
    if (isAside) continue
    if (prose < MAX_LEAD_WORDS) {
      lead.push(text.slice(0, MAX_BLOCK_LENGTH))
      if (isHeading) headings.push(text)
    }
    // A consent banner comes first but is not content of the page.
    if (!/cookie/i.test(text)) prose += countWords(outsideLinks)
  }
  return { lead: lead.join('\n'), headings: headings.join('\n'), prose }
}

/** Counts words; in scripts without spaces, two ideographs or five letters count as one word. */
export function countWords(text: string): number {
  let words = 0
  let ideographs = 0
  let unspaced = 0
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const isIdeograph = unit >= 0x2e80 && unit < 0xd800
    const isRun = isUnspaced(unit)
    if (isIdeograph) ideographs++
    if (isRun) unspaced++
    const isWord = !isIdeograph && !isRun && unit > 0x2f && !(unit >= 0x2000 && unit < 0x2100) && unit !== 0xa0
    if (isWord && !inWord) words++
    inWord = isWord
  }
  return words + Math.ceil(ideographs / 2) + Math.ceil(unspaced / 5)
}

/** Elements for text that is not about the page's subject. */
const ASIDES = new Set(['footer', 'aside'])
const FOOTER_NAME = /(?:^|[\s_-])(?:foot|footer|colophon|copyright)(?:$|[\s_-])/i

type Attributes = Readonly<Record<string, string>>

/** Follows opening and closing tags, and tells whether the current position is in a footer or an aside. */
export function createAsideTracker() {
  /** The name of the outermost such element, and how many elements of that name are open, itself included. */
  let name = ''
  let depth = 0
  return {
    open(tag: string, attributes: Attributes): void {
      if (depth > 0) {
        if (tag === name) depth++
        return
      }
      if (!isAside(tag, attributes)) return
      name = tag
      depth = 1
    },
    close(tag: string): void {
      if (depth > 0 && tag === name) depth--
    },
    isInside: (): boolean => depth > 0,
  }
}

function isAside(tag: string, attributes: Attributes): boolean {
  if (ASIDES.has(tag) || attributes['role'] === 'contentinfo') return true
  // Only elements that are nearly always closed: the aside would otherwise reach to the end of the page.
  if (tag !== 'div' && tag !== 'section' && tag !== 'td') return false
  return ['id', 'class'].some((key) => FOOTER_NAME.test((attributes[key] ?? '').slice(0, 200)))
}

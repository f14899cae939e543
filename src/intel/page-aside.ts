/** Elements that hold what a page says beside its subject. */
const ASIDES = new Set(['footer', 'aside'])
const CALLED_FOOTER = /(?:^|[\s_-])(?:foot|footer|colophon|copyright)(?:$|[\s_-])/i

/** Follows tags, and knows whether what comes now stands in a footer or an aside. */
export function createAsideTracker() {
  /** The outermost such element, and how many of its name are open inside of it. */
  let name = ''
  let depth = 0
  return {
    open(tag: string, attributes: ReadonlyMap<string, string>): void {
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

function isAside(tag: string, attributes: ReadonlyMap<string, string>): boolean {
  if (ASIDES.has(tag) || attributes.get('role') === 'contentinfo') return true
  // A body or a paragraph is not closed by everybody: it would never end.
  if (tag !== 'div' && tag !== 'section' && tag !== 'td') return false
  return ['id', 'class'].some((key) => CALLED_FOOTER.test((attributes.get(key) ?? '').slice(0, 200)))
}

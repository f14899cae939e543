import { isUnder, serviceOfLander } from './services.ts'
import { mentionsDomain, type Signal } from './signals-marks.ts'
import { hostOf, type View } from './signals.ts'
import { ASIDE, WEIGHTS } from './weights.ts'

/** A quoted URL assigned to `location` in a script. */
const SCRIPT_REDIRECT =
  /\blocation(?:\.href)?\s{0,3}(?:=|\.(?:replace|assign)\s{0,3}\()\s{0,3}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/g
const MAX_TARGETS = 50

/** Typical URLs of landers at any marketplace. */
const LANDER_URL =
  /for-?sale|buy-?(?:this-?)?domain|domain-?(?:for-?)?(?:sale|lander|landing|parking|profile|offer)|park(?:ed|ing)|\blander\b/i

/**
 * Signals from a page that only frames a lander of another site, or redirects to one by a refresh or a script. On a page
 * with text of its own, this counts as an ordinary link.
 */
export function fromElsewhere(view: View): Signal[] {
  const { page, first, evidence } = view
  const redirects = [page.refresh, first.refresh, ...scriptRedirects(page.scripts), ...scriptRedirects(first.scripts)]
  const targets = [...new Set([...page.frames, ...first.frames, ...redirects])].slice(0, MAX_TARGETS)
  const isShell = view.words < ASIDE.shellWords
  return targets.flatMap((address): Signal[] => {
    const host = hostOf(address)
    if (host === '' || isUnder(host, evidence.host)) return []
    const service = serviceOfLander(host, evidence.host)
    const isNamed = mentionsDomain(address, evidence.host)
    if (service === undefined)
      return isShell && isNamed && LANDER_URL.test(address) ? [{ name: 'lander_redirect', weight: WEIGHTS.lander }] : []
    const name = service.kind === 'placeholder' ? 'registrar_landing' : 'for_sale'
    if (!isShell) return isNamed ? [{ name, weight: WEIGHTS.saleLink * view.damping * view.asideFactor }] : []
    return [{ name, weight: isNamed ? WEIGHTS.soldElsewhere : WEIGHTS.marketplaceFrame }]
  })
}

const scriptRedirects = (scripts: string): string[] =>
  [...scripts.matchAll(SCRIPT_REDIRECT)].slice(0, MAX_TARGETS).map(([, double, single]) => double ?? single ?? '')

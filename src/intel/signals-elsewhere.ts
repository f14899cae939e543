import { isUnder, serviceOfLander } from './services.ts'
import { namesIt, type Signal } from './signals-marks.ts'
import { hostOf, type View } from './signals.ts'
import { ASIDE, WEIGHTS } from './weights.ts'

/** An address that is given to `location` in a script: as a whole, in quotes. */
const SCRIPT_REDIRECT =
  /\blocation(?:\.href)?\s{0,3}(?:=|\.(?:replace|assign)\s{0,3}\()\s{0,3}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/g
const MAX_TARGETS = 50

/** How addresses of landers are called, at whichever marketplace. */
const LANDER_ADDRESS =
  /for-?sale|buy-?(?:this-?)?domain|domain-?(?:for-?)?(?:sale|lander|landing|parking|profile|offer)|park(?:ed|ing)|\blander\b/i

/**
 * A page that shows nothing but somebody else's lander in a frame, or would lead to it by a refresh or a script. Where a
 * page has text of its own, that is a link like others.
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
    const isNamed = namesIt(address, evidence.host)
    if (service === undefined)
      return isShell && isNamed && LANDER_ADDRESS.test(address)
        ? [{ name: 'lander_redirect', weight: WEIGHTS.lander }]
        : []
    const name = service.kind === 'placeholder' ? 'registrar_landing' : 'for_sale'
    if (!isShell) return isNamed ? [{ name, weight: WEIGHTS.saleLink * view.damping * view.asideFactor }] : []
    return [{ name, weight: isNamed ? WEIGHTS.soldElsewhere : WEIGHTS.marketplaceFrame }]
  })
}

const scriptRedirects = (scripts: string): string[] =>
  [...scripts.matchAll(SCRIPT_REDIRECT)].slice(0, MAX_TARGETS).map(([, double, single]) => double ?? single ?? '')

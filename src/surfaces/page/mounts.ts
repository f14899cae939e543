import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Exchange, Mount } from '../http/exchange.ts'
import { sendHtml, sendHtmlPieces, sendRedirect } from '../http/html.ts'
import { assetMounts, loadAssets } from './assets.ts'
import { asciiDomain } from './assets/name-list.js'
import { pageOfAsked, parseAsked } from './asked.ts'
import { bulkMount } from './bulk-mount.ts'
import type { StatusOf } from './cards/trademarks.ts'
import { problemPage } from './problem-page.ts'
import { homePage } from './home.ts'
import type { Html } from './html.ts'
import { domainPage } from './domain-page.ts'
import { namePage, type TldSet } from './name-page.ts'
import { begin, textOf } from './pieces.ts'
import type { Prices } from './prices.ts'
import type { About } from './shell.ts'
import { statusMount } from './status-mount.ts'
import { parseTileView } from './tile-view.ts'

type Needs = {
  readonly version: string
  /** The route of an endpoint, by its name. */
  readonly routeOf: (endpoint: string) => Route
  /** Address that signs payments with play money; null unless payments are simulated. */
  readonly playWallet: string | null
  /** Whether something can be sold. */
  readonly canPay: boolean
  readonly readiness: Parameters<typeof statusMount>[0]['readiness']
  readonly switchesOf: Parameters<typeof statusMount>[0]['switchesOf']
  readonly sets: readonly TldSet[]
  readonly statusOf: StatusOf
  /** What domains cost at the moment. */
  readonly prices: () => Promise<Prices>
  /** Whether the operator earns a commission at the registrar, by its slug. */
  readonly isAffiliate: (slug: string) => boolean
  /** Whether the domain is under a generic TLD. */
  readonly isGeneric: (domain: string) => boolean
  readonly clock: Clock
}

/** The pages that people open. */
export function pageMounts(needs: Needs): Mount[] {
  const { version, routeOf, sets, statusOf, isAffiliate, isGeneric, clock, readiness, switchesOf } = needs
  const wallet = needs.canPay ? { playWallet: needs.playWallet } : null
  const dossier = routeOf('nameDossier')
  const assets = loadAssets()
  const about: About = {
    version,
    styleUrl: assets.style.url,
    scriptUrl: assets.script.url,
    tlds: sets.find(({ name }) => name === 'all')!.tlds.length,
  }
  const home = homePage(about).text

  /** Streams a page that stands on a dossier. What cannot be looked up is a page too. */
  const show =
    (prefix: string, inputOf: InputOf, pageOf: PageOf): Mount['handle'] =>
    async (exchange, _call, quota, stream) => {
      const { pathname, search, searchParams } = addressOf(exchange)
      const asked = decodeText(pathname.slice(prefix.length))
      const typed = parseAsked(asked)
      const page = pageOfAsked(typed)
      // A domain at the address of names, a name at that of domains, or a whole URL: each has one address.
      if (typed !== asked || !page.startsWith(prefix)) {
        await quota.takeDocuments(1)
        return sendRedirect(exchange, `${page}${search}`)
      }
      // People type `bücher`, and the DNS knows `xn--bcher-kva`.
      const name = asciiDomain(typed)
      const gone = new AbortController()
      exchange.response.once('close', () => gone.abort())
      const prices = await needs.prices()
      try {
        const pieces = await begin(await stream(dossier, inputOf(name, searchParams), gone.signal))
        await sendHtmlPieces(
          exchange,
          textOf(pageOf({ name, typed: typed.toLowerCase(), prices }, searchParams, pieces)),
        )
      } catch (error) {
        if (!(error instanceof ApiError) || exchange.response.headersSent) throw error
        sendHtml(exchange, error.status, problemPage(about, typed, error, `${page}${search}`).text, error.headers)
      }
    }
  const setOf = (parameters: URLSearchParams) => sets.find(({ name }) => name === parameters.get('set')) ?? sets[0]!
  const showName = show(
    '/n/',
    (name, parameters) => ({ name, category: setOf(parameters).name, parts: NAME_PARTS }),
    ({ name, typed, prices }, parameters, pieces) =>
      namePage({
        about,
        label: name.replace(/\.eth$/, ''),
        typed: typed.replace(/\.eth$/, ''),
        view: parseTileView(parameters, setOf(parameters).name),
        sets,
        pieces,
        statusOf,
        prices,
      }),
  )
  const showDomain = show(
    '/d/',
    (name) => ({ name, tld: name.slice(name.indexOf('.') + 1), parts: DOMAIN_PARTS }),
    ({ name: domain, typed }, _, pieces) =>
      domainPage({
        about,
        domain,
        typed,
        pieces,
        statusOf,
        isAffiliate,
        isGeneric: isGeneric(domain),
        wallet,
        now: clock.now(),
      }),
  )

  return [
    {
      name: 'page',
      methods: ['GET'],
      path: '/',
      rate: 'document',
      handle: (exchange) => sendHtml(exchange, 200, home),
    },
    {
      name: 'page of a search',
      methods: ['GET'],
      path: '/n',
      rate: 'document',
      handle(exchange) {
        sendRedirect(exchange, pageOfAsked(parseAsked(addressOf(exchange).searchParams.get('q') ?? '')))
      },
    },
    { name: 'page of a name', methods: ['GET'], path: '/n/{name}', rate: 'own', handle: showName },
    { name: 'page of a domain', methods: ['GET'], path: '/d/{domain}', rate: 'own', handle: showDomain },
    bulkMount({ about, sets, checkBulk: routeOf('checkBulk') }),
    statusMount({
      about,
      registryHealth: routeOf('registryHealth'),
      listAuctions: routeOf('listAuctions'),
      readiness,
      switchesOf,
      clock,
    }),
    ...assetMounts(assets),
  ]
}

type InputOf = (asked: string, parameters: URLSearchParams) => Readonly<Record<string, unknown>>
/** What was asked for: as the DNS writes it, and as it was typed; and what domains cost. */
type Asked = { readonly name: string; readonly typed: string; readonly prices: Prices }
type PageOf = (asked: Asked, parameters: URLSearchParams, pieces: AsyncIterable<unknown>) => AsyncIterable<Html>

const NAME_PARTS = 'availability,aftermarket,auctions,ens,presence,trademarks'
const DOMAIN_PARTS = 'availability,register,whois,dns,aftermarket,auctions,trademarks'

const addressOf = ({ request }: Exchange): URL => new URL(request.url ?? '', 'http://localhost')

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

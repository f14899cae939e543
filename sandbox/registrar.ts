import type { Random } from '../src/kernel/random.ts'
import { loadCatalogue } from '../src/tlds/catalogue.ts'
import { type ScriptedAnswer, serveHttp, type SimulatedRequest } from './http-server.ts'
import { truthAbout } from './names/dns-answer.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer, textAnswer } from './play-http.ts'
import type { Simulator } from './simulator.ts'

const KEY = 'sandbox-key'
const PREMIUM = { price: '1250.00', renewal: '49.50' }

/**
 * A registrar: Porkbun's price list, and the checks of single names as Porkbun and Namecheap answer them. The service in
 * the sandbox uses the list only: with a key at a registrar, `premium` would depend on when a name was checked.
 */
export const registrar: Simulator = {
  name: 'registrar',
  about: "a registrar: Porkbun's price list, and checks of premium names",
  async start({ seed, chance, wait }) {
    const server = await serveHttp((request) => respond(request, { seed, chance }), { wait })
    return {
      settings: { ONOMA_PRICES_URL: `${server.url}/api/json/v3/pricing/get` },
      addresses: { registrar: server.url },
      tryThese: ({ url }) => [
        { url: `${url}/v1/register?domain=example.com`, status: 200, shows: 'where a domain can be registered' },
      ],
      stop: server.stop,
    }
  },
}

type World = { readonly seed: number; chance(key: string): Random }

function respond({ method, url, body }: SimulatedRequest, world: World): ScriptedAnswer {
  const { pathname, searchParams } = url
  if (pathname.endsWith('/pricing/get'))
    return { outcome: OK, answer: method === 'POST' ? priceList(world) : textAnswer('POST only.\n', 405) }
  if (pathname.endsWith('/xml.response')) {
    const domain = searchParams.get('DomainList') ?? ''
    const isUser = searchParams.get('ApiKey') === KEY
    return { outcome: outcomeOf(domain), answer: isUser ? namecheapCheck(domain, world) : namecheapError() }
  }
  const [, domain] = /\/domain\/checkDomain\/([^/]+)$/.exec(pathname) ?? []
  if (domain === undefined) return { outcome: OK, answer: textAnswer('There is nothing here.\n', 404) }
  const answer = hasPorkbunKey(body)
    ? porkbunCheck(domain, world)
    : jsonAnswer({ status: 'ERROR', message: 'Invalid API key. (001)' }, 400)
  return { outcome: outcomeOf(domain), answer }
}

function hasPorkbunKey(body: string): boolean {
  try {
    const { apikey, secretapikey } = JSON.parse(body) as Record<string, unknown>
    return apikey === KEY && secretapikey === KEY
  } catch {
    return false
  }
}

function priceList({ chance }: World): HttpAnswer {
  const price = (cents: number) => (cents / 100).toFixed(2)
  const rows = loadCatalogue().tlds.map(({ tld }): [string, object] => {
    const random = chance(`price ${tld}`)
    const renewal = 500 + random.below(6000)
    const registration = Math.max(98, renewal - 100 * random.below(20))
    return [tld, { registration: price(registration), renewal: price(renewal), transfer: price(renewal), coupons: [] }]
  })
  const handshake = { registration: '4.00', renewal: '4.00', transfer: '4.00', coupons: [], specialType: 'handshake' }
  return jsonAnswer({ status: 'SUCCESS', pricing: { ...Object.fromEntries(rows), invented: handshake } })
}

function porkbunCheck(domain: string, { seed }: World): HttpAnswer {
  const truth = truthAbout(domain, seed)
  const isPremium = truth?.isPremium === true
  const price = isPremium ? PREMIUM.price : '11.08'
  const renewal = isPremium ? PREMIUM.renewal : '11.08'
  return jsonAnswer({
    status: 'SUCCESS',
    response: {
      avail: truth?.state === 'free' ? 'yes' : 'no',
      type: 'registration',
      price,
      firstYearPromo: 'no',
      regularPrice: price,
      premium: isPremium ? 'yes' : 'no',
      additional: {
        renewal: { type: 'renewal', price: renewal, regularPrice: renewal },
        transfer: { type: 'transfer', price: renewal, regularPrice: renewal },
      },
    },
    limits: { TTL: '10', limit: '1', used: 1, naturalLanguage: '1 out of 1 checks within 10 seconds used.' },
  })
}

const namecheapReply = (status: 'OK' | 'ERROR', errors: string, command: string, response: string): HttpAnswer => ({
  status: 200,
  type: 'text/xml; charset=utf-8',
  body:
    `<?xml version="1.0" encoding="utf-8"?>\n<ApiResponse Status="${status}" xmlns="http://api.namecheap.com/xml.response">` +
    `${errors}<Warnings />${command}${response}<Server>SANDBOX</Server>` +
    '<GMTTimeDifference>--5:00</GMTTimeDifference><ExecutionTime>0.05</ExecutionTime></ApiResponse>\n',
})

const namecheapError = () =>
  namecheapReply(
    'ERROR',
    '<Errors><Error Number="1011102">API Key is invalid or API access has not been enabled</Error></Errors>',
    '<RequestedCommand />',
    '',
  )

function namecheapCheck(domain: string, { seed }: World): HttpAnswer {
  const truth = truthAbout(domain, seed)
  const isPremium = truth?.isPremium === true
  const four = (price: string) => (isPremium ? `${price}00` : '0.0000')
  const attributes = {
    Domain: domain,
    Available: String(truth?.state === 'free'),
    ErrorNo: '0',
    Description: '',
    IsPremiumName: String(isPremium),
    PremiumRegistrationPrice: four(PREMIUM.price),
    PremiumRenewalPrice: four(PREMIUM.renewal),
    PremiumRestorePrice: four('80.00'),
    PremiumTransferPrice: four(PREMIUM.renewal),
    IcannFee: '0.0000',
    EapFee: '0.0000',
  }
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  const command = 'namecheap.domains.check'
  return namecheapReply(
    'OK',
    '<Errors />',
    `<RequestedCommand>${command}</RequestedCommand>`,
    `<CommandResponse Type="${command}"><DomainCheckResult ${text.join(' ')} /></CommandResponse>`,
  )
}

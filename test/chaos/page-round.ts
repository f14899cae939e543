import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { describeFault, type FaultKind, randomFault } from '../support/fault.ts'
import { conformTo } from '../support/conformity.ts'
import { watchForHang } from '../support/hang.ts'
import type { Reply } from '../support/door.ts'
import { ask } from '../support/paid-shop.ts'
import { payX402 } from '../support/paid-wallets.ts'
import { describeUse, expectBaseline, measureUse } from './baseline.ts'
import { PAGES } from './proxies.ts'
import { type Chaos, RECOVERY_TIMEOUT_MS } from './round.ts'

/** The wallet of play money: its key is public. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** A visit may take 20 seconds, and others may be before it in the queue. */
const ANSWER_TIMEOUT_MS = 60_000
const VISITS = 3
const OFFER_ATTEMPTS = 50
const OFFER_PAUSE_MS = 200

type Visit = { readonly path: string; readonly outcome: 'page' | 'error' | 'refused' }

/** Sells visits of pages whose server breaks in every way. Each ends with the page or an error code, and only a page is paid. */
export async function runPageRound(chaos: Chaos, kinds: readonly FaultKind[]): Promise<void> {
  const { plan, world, problems } = chaos
  chaos.rounds++
  plan.print(`round ${chaos.rounds}: pages`)
  const before = problems.length
  const visits: Visit[] = []
  const visitSome = async (name: string) => {
    const paths = Array.from(
      { length: VISITS },
      (_, at) => `/v1/intel?domain=taken-forsale-${name}${plan.seed}x${at}.com`,
    )
    const outcomes = await Promise.all(paths.map((path) => visit(chaos, path)))
    visits.push(...outcomes.filter((outcome) => outcome !== undefined))
    return outcomes.filter((one) => one?.outcome === 'page').length
  }
  if ((await visitSome('calm')) === 0) problems.push('Without a fault no page was captured.')
  const calm = await measureUse(chaos.service)
  plan.print(`  calm: ${describeUse(calm)}`)
  for (const kind of kinds) {
    const fault = randomFault(kind, chaos.random)
    world.set(PAGES, fault)
    const captured = await visitSome(kind)
    world.heal()
    plan.print(`  ${describeFault(fault)}: ${captured} of ${VISITS} pages captured`)
  }
  if ((await visitSome('again')) === 0) problems.push('It did not capture a page again when the faults were over.')
  problems.push(...(await compareWithLedger(chaos, visits)))
  problems.push(...(await expectBaseline(chaos.service, calm, RECOVERY_TIMEOUT_MS)))
  for (let at = before; at < problems.length; at++) plan.print(`  PROBLEM ${(problems[at] = `pages: ${problems[at]}`)}`)
  const count = (outcome: Visit['outcome']) => visits.filter((one) => one.outcome === outcome).length
  plan.print(`  ${count('page')} pages, ${count('error')} errors, ${count('refused')} refused`)
}

async function visit({ host, document, problems, meter }: Chaos, path: string): Promise<Visit | undefined> {
  const account = privateKeyToAccount(KEY)
  const send = async (headers: Record<string, string> = {}) => {
    const hung = new AbortController()
    const tell = () => hung.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`))
    const answered = watchForHang(ANSWER_TIMEOUT_MS, meter, tell)
    const reply = await ask(host.url + path, headers, { signal: hung.signal }).finally(answered)
    conformTo(document).check({ path }, reply)
    return reply
  }
  try {
    let invited = await send()
    // A scheme is offered when its node has been checked, which may take a moment after the start.
    for (let count = 0; count < OFFER_ATTEMPTS && isWithoutOffer(invited); count++) {
      await sleep(OFFER_PAUSE_MS)
      invited = await send()
    }
    // The queue of the browser may be full.
    if (invited.status === 503) return { path, outcome: 'refused' }
    if (!invited.headers.has('payment-required')) throw new Error(`no offer, but ${invited.status}: ${invited.text}`)
    const reply = await send(await payX402(invited, { key: KEY, account, address: account.address }, host.clock))
    if (reply.status === 503) return { path, outcome: 'refused' }
    if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text.slice(0, 300)}`)
    const { error, final_url: finalUrl } = reply.body as { error?: string; final_url?: string }
    if ((error === undefined) !== (finalUrl !== undefined))
      throw new Error(`neither a page nor an error: ${reply.text}`)
    return { path, outcome: error === undefined ? 'page' : 'error' }
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`)
    return undefined
  }
}

const isWithoutOffer = ({ status, headers }: Reply): boolean => status === 402 && !headers.has('payment-required')

async function compareWithLedger({ host }: Chaos, visits: readonly Visit[]): Promise<string[]> {
  const response = await fetch(`${host.url}/v1/sandbox/ledger`)
  const { payments } = (await response.json()) as { payments: { endpoint: string; state: string }[] }
  const settled = payments.filter(({ endpoint, state }) => endpoint === 'domainIntel' && state === 'settled').length
  const pages = visits.filter(({ outcome }) => outcome === 'page').length
  return settled === pages ? [] : [`${pages} pages were delivered, and ${settled} payments were taken.`]
}

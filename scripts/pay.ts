/** Asks for an answer that costs money, and pays for it: with play money where it is simulated, else with a wallet's. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { formatMoney, parseUsd, type Usd } from '../src/kernel/money.ts'
import { EXIT_CODES, exitCodeOf } from '../src/surfaces/cli/exit-codes.ts'
import { type Bill, mppBill, type Protocol, receiptIn, waysIn, x402Bill } from './pay/bill.ts'

const USAGE = `usage: npm run pay -- URL [--x402 | --mpp] [--max USD] [--rpc URL]

Asks for URL and pays what it costs. The answer goes to standard output; price, receipt and transaction to standard error.

  --x402     pay with USDC on Base (the default where it is offered)
  --mpp      pay with dollars on Tempo
  --max USD  the most to pay (default 0.10)
  --rpc URL  a node of Tempo, for --mpp (default: the public one; in simulated mode the service names its own)
  --help     print this

PRIVATE_KEY is the key of the wallet that pays. In simulated mode it is not used: the wallet of the sandbox pays.

exit codes: ${[
  EXIT_CODES.ok,
  EXIT_CODES.failed,
  EXIT_CODES.invalid,
  EXIT_CODES.notFound,
  EXIT_CODES.limited,
  EXIT_CODES.unpaid,
]
  .map(({ code, meaning }) => `${code} ${meaning}`)
  .join('\n            ')}
`

/** The first account of every development chain: everybody knows its key. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 6
const MAX_WAIT_S = 10

export type PayNeeds = {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly wait?: (ms: number) => Promise<unknown>
  readonly out?: (text: string) => void
  readonly tell?: (line: string) => void
}

type Needs = Required<PayNeeds>

type Wishes = {
  readonly url: URL
  readonly way?: Protocol | undefined
  readonly max: Usd
  readonly rpc?: string | undefined
}

/** Ends the command with a sentence for the user. */
class Ending extends Error {
  readonly code: number

  constructor({ code }: { code: number }, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Runs the command and gives its exit code. */
export async function pay(args: string[], needs: PayNeeds = {}): Promise<number> {
  const {
    env = process.env,
    fetch = globalThis.fetch,
    wait = sleep,
    out = (text) => void process.stdout.write(text),
    tell = (line) => void process.stderr.write(`${line}\n`),
  } = needs
  try {
    const wishes = readWishes(args)
    if (wishes === 'help') {
      out(USAGE)
      return EXIT_CODES.ok.code
    }
    return await buy(wishes, { env, fetch, wait, out, tell })
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error))
    return error instanceof Ending ? error.code : EXIT_CODES.failed.code
  }
}

async function buy(wishes: Wishes, needs: Needs): Promise<number> {
  const { tell } = needs
  const asked = await ask(wishes, needs)
  if (asked.status !== 402) {
    if (asked.ok) tell('It is free.')
    return show(asked, needs)
  }
  const isPlay = asked.headers.get('x-payments-mode') === 'simulated'
  const bill = await billOf(asked, wishes, isPlay)
  tell(`price: $${formatMoney(bill.price)}, in ${bill.money}, to ${bill.recipient}`)
  if (bill.price > wishes.max) {
    const sentence = `That is more than $${formatMoney(wishes.max)}; nothing was paid. --max allows more.`
    throw new Ending(EXIT_CODES.unpaid, sentence)
  }
  if (isPlay) tell('The money is simulated: the wallet of the sandbox pays.')
  const payment = await signed(bill, isPlay ? SANDBOX_KEY : keyIn(needs.env))
  const answer = await redeem(wishes, payment, needs)
  const paid = receiptIn(answer)
  if (paid) {
    tell(`receipt: ${JSON.stringify(paid.receipt)}`)
    tell(`transaction: ${paid.transaction}`)
  } else if (answer.ok) tell('Nothing was charged: the answer came without a receipt.')
  return show(answer, needs)
}

function readWishes(args: string[]): Wishes | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        x402: { type: 'boolean', default: false },
        mpp: { type: 'boolean', default: false },
        max: { type: 'string', default: '0.10' },
        rpc: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    const [address, ...others] = positionals
    if (address === undefined || others.length > 0) throw new Error('Name one URL.')
    if (values.x402 && values.mpp) throw new Error('It is --x402 or --mpp, not both.')
    const url = URL.parse(address)
    // Without TLS, a 402 can be changed on its way, and with it the recipient.
    if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
      throw new Error('The URL must begin with https://, or with http:// and lead to this machine.')
    }
    const way = values.mpp ? 'mpp' : values.x402 ? 'x402' : undefined
    return { url, way, max: readMax(values.max), rpc: values.rpc }
  } catch (error) {
    throw new Ending(EXIT_CODES.invalid, `${(error as Error).message}\n\n${USAGE.trim()}`, { cause: error })
  }
}

function readMax(text: string): Usd {
  try {
    return parseUsd(text)
  } catch (cause) {
    throw new Error(`--max: ${(cause as Error).message}.`, { cause })
  }
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname)

/** Redirects are not followed: a payment is for the host that asked for it. */
const ask = ({ url }: Wishes, { fetch }: Needs, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url.href, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new Ending(EXIT_CODES.failed, `${url.host} does not answer.`, { cause })
  })

async function billOf(asked: Response, { url, way, rpc }: Wishes, isPlay: boolean): Promise<Bill> {
  const ways = waysIn(asked)
  const chosen = way ?? ways[0]
  if (chosen === undefined || !ways.includes(chosen)) {
    throw new Ending(EXIT_CODES.unpaid, `It cannot be paid for by ${chosen ?? 'x402 or MPP'}.`)
  }
  const node = rpc ?? (isPlay && chosen === 'mpp' ? playNode(asked, url) : undefined)
  try {
    return chosen === 'x402' ? x402Bill(asked) : await mppBill(asked, node)
  } catch (cause) {
    throw new Ending(EXIT_CODES.unpaid, `What it costs cannot be told: ${(cause as Error).message}`, { cause })
  }
}

/** Play money stays on this machine, and so does who is asked about it. */
function playNode({ headers }: Response, url: URL): string {
  const node = URL.parse(headers.get('x-payments-rpc') ?? '')
  if (node && isLoopback(node) && isLoopback(url)) return node.href
  throw new Ending(EXIT_CODES.invalid, 'The money is simulated, and where is not said; --rpc names its node of Tempo.')
}

function keyIn(env: Needs['env']): Hex {
  const key = env['PRIVATE_KEY']
  if (key !== undefined && /^0x[0-9a-f]{64}$/i.test(key)) return key as Hex
  throw new Ending(
    EXIT_CODES.invalid,
    'Set PRIVATE_KEY to the key of a wallet with money: 0x and 64 hexadecimal digits.',
  )
}

async function signed(bill: Bill, key: Hex): Promise<[string, string]> {
  try {
    return await bill.sign(key)
  } catch (cause) {
    // The first line says what; the others repeat what was signed.
    const [what] = (cause as Error).message.split('\n')
    throw new Ending(EXIT_CODES.failed, `The payment cannot be signed: ${what} Nothing was paid.`, { cause })
  }
}

/** If the outcome is unknown, the same payment is sent again; a new one could be charged too. */
async function redeem(wishes: Wishes, [name, value]: [string, string], needs: Needs): Promise<Response> {
  // Our own token: with it the answer can be fetched again, even if the first one is lost on its way.
  const token = randomBytes(32).toString('base64url')
  for (let tries = 1; ; tries++) {
    const answer = await ask(wishes, needs, { [name]: value, 'Payment-Token': token }).catch(
      (error: unknown) => error as Ending,
    )
    if (!(answer instanceof Ending) && answer.status !== 503) return answer
    const why = answer instanceof Ending ? answer.message : await messageIn(answer)
    if (tries === MAX_ATTEMPTS) {
      throw new Ending(
        EXIT_CODES.failed,
        `${why}\nWhether it was paid is not known; look at the wallet before paying again.`,
      )
    }
    needs.tell(`${why} Sending the same payment again.`)
    const seconds = answer instanceof Ending ? tries : Number(answer.headers.get('retry-after') ?? tries)
    await needs.wait(Math.min(seconds || tries, MAX_WAIT_S) * 1000)
  }
}

async function show(answer: Response, { out, tell }: Needs): Promise<number> {
  if (answer.ok) out(`${(await answer.text()).trimEnd()}\n`)
  else tell(`${answer.status}: ${await messageIn(answer)}`)
  return exitCodeOf(answer.status)
}

async function messageIn(answer: Response): Promise<string> {
  const text = await answer.text()
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Not one of our errors.
  }
  return text.slice(0, 500) || answer.statusText
}

if (import.meta.main) process.exitCode = await pay(process.argv.slice(2))

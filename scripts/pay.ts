/** Requests a paid endpoint and pays for it: with play money if payments are simulated, otherwise from a wallet. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { formatMoney, parseUsd, type Usd } from '../src/kernel/money.ts'
import { EXIT_CODES, exitCodeOf } from '../src/surfaces/cli/exit-codes.ts'
import { type Bill, mppBill, type Protocol, parseReceipt, offeredProtocols, x402Bill } from './pay/bill.ts'

const USAGE = `usage: npm run pay -- URL [--data JSON] [--x402 | --mpp] [--max USD] [--rpc URL]

Requests URL and pays its price. The answer goes to standard output; price, receipt and transaction to standard error.

  --data JSON
             send a POST with this body instead of a GET
  --x402     pay with USDC on Base (the default if it is offered)
  --mpp      pay with dollars on Tempo
  --max USD  maximum price (default 0.10)
  --rpc URL  Tempo node for --mpp (default: the public node, or the service's own in simulated mode)
  --help     print this text

PRIVATE_KEY is the key of the wallet that pays. It is ignored in simulated mode: the sandbox's wallet pays.

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

/** The first account of every development chain; its key is published. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 6
const MAX_RETRY_SECONDS = 10

export type PayNeeds = {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly wait?: (ms: number) => Promise<unknown>
  readonly out?: (text: string) => void
  readonly print?: (line: string) => void
}

type Needs = Required<PayNeeds>

type PayOptions = {
  readonly url: URL
  readonly data?: string | undefined
  readonly way?: Protocol | undefined
  readonly max: Usd
  readonly rpc?: string | undefined
}

/** Ends the command with this exit code and message. */
class PayError extends Error {
  readonly code: number

  constructor({ code }: { code: number }, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Runs the command and returns its exit code. */
export async function pay(args: string[], needs: PayNeeds = {}): Promise<number> {
  const {
    env = process.env,
    fetch = globalThis.fetch,
    wait = sleep,
    out = (text) => void process.stdout.write(text),
    print = (line) => void process.stderr.write(`${line}\n`),
  } = needs
  try {
    const options = parseOptions(args)
    if (options === 'help') {
      out(USAGE)
      return EXIT_CODES.ok.code
    }
    return await buy(options, { env, fetch, wait, out, print })
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    return error instanceof PayError ? error.code : EXIT_CODES.failed.code
  }
}

async function buy(options: PayOptions, needs: Needs): Promise<number> {
  const { print } = needs
  const response = await ask(options, needs)
  if (response.status !== 402) {
    if (response.ok) print('This endpoint is free.')
    return show(response, needs)
  }
  const isSimulated = response.headers.get('x-payments-mode') === 'simulated'
  const bill = await createBill(response, options, isSimulated)
  print(`price: $${formatMoney(bill.price)}, in ${bill.currencyName}, to ${bill.recipient}`)
  if (bill.price > options.max) {
    const sentence = `The price is above the maximum of $${formatMoney(options.max)}; nothing was paid. Raise it with --max.`
    throw new PayError(EXIT_CODES.unpaid, sentence)
  }
  if (isSimulated) print("Payments are simulated: the sandbox's wallet pays.")
  const payment = await signPayment(bill, isSimulated ? SANDBOX_KEY : parseKey(needs.env))
  const answer = await sendPayment(options, payment, needs)
  const paid = parseReceipt(answer)
  if (paid) {
    print(`receipt: ${JSON.stringify(paid.receipt)}`)
    print(`transaction: ${paid.transaction}`)
  } else if (answer.ok) print('Nothing was charged: the answer has no receipt.')
  return show(answer, needs)
}

function parseOptions(args: string[]): PayOptions | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        x402: { type: 'boolean', default: false },
        mpp: { type: 'boolean', default: false },
        max: { type: 'string', default: '0.10' },
        rpc: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    const [address, ...others] = positionals
    if (address === undefined || others.length > 0) throw new Error('Give exactly one URL.')
    if (values.x402 && values.mpp) throw new Error('Use --x402 or --mpp, not both.')
    const url = URL.parse(address)
    // Without TLS somebody on the network could change the 402, and with it the recipient.
    if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
      throw new Error('The URL must begin with https://, or with http:// for a loopback address.')
    }
    const way = values.mpp ? 'mpp' : values.x402 ? 'x402' : undefined
    return { url, data: values.data, way, max: parseMax(values.max), rpc: values.rpc }
  } catch (error) {
    throw new PayError(EXIT_CODES.invalid, `${(error as Error).message}\n\n${USAGE.trim()}`, { cause: error })
  }
}

function parseMax(text: string): Usd {
  try {
    return parseUsd(text)
  } catch (cause) {
    throw new Error(`--max: ${(cause as Error).message}.`, { cause })
  }
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname)

/** Does not follow redirects: a payment is for the host that requested it. */
function ask({ url, data }: PayOptions, { fetch }: Needs, headers: Record<string, string> = {}): Promise<Response> {
  const post = data !== undefined && { method: 'POST', body: data }
  const type = data !== undefined && { 'Content-Type': 'application/json' }
  const init = { ...post, headers: { ...type, ...headers }, redirect: 'error' as const }
  return fetch(url.href, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new PayError(EXIT_CODES.failed, `${url.host} does not answer.`, { cause })
  })
}

async function createBill(response: Response, { url, way, rpc }: PayOptions, isSimulated: boolean): Promise<Bill> {
  const offered = offeredProtocols(response)
  const chosen = way ?? offered[0]
  if (chosen === undefined || !offered.includes(chosen)) {
    throw new PayError(EXIT_CODES.unpaid, `The service does not accept ${chosen ?? 'x402 or MPP'} for this.`)
  }
  const node = rpc ?? (isSimulated && chosen === 'mpp' ? simulatedNode(response, url) : undefined)
  try {
    return chosen === 'x402' ? x402Bill(response) : await mppBill(response, node)
  } catch (cause) {
    throw new PayError(EXIT_CODES.unpaid, `The price cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** The node of a simulated chain must be on this machine, like the service. */
function simulatedNode({ headers }: Response, url: URL): string {
  const node = URL.parse(headers.get('x-payments-rpc') ?? '')
  if (node && isLoopback(node) && isLoopback(url)) return node.href
  throw new PayError(
    EXIT_CODES.invalid,
    'Payments are simulated, but the service does not name its Tempo node; set it with --rpc.',
  )
}

function parseKey(env: Needs['env']): Hex {
  const key = env['PRIVATE_KEY']
  if (key !== undefined && /^0x[0-9a-f]{64}$/i.test(key)) return key as Hex
  throw new PayError(EXIT_CODES.invalid, 'Set PRIVATE_KEY to the key of a funded wallet: 0x and 64 hexadecimal digits.')
}

async function signPayment(bill: Bill, key: Hex): Promise<[string, string]> {
  try {
    return await bill.sign(key)
  } catch (cause) {
    // The first line has the reason; the others repeat the signed data.
    const [what] = (cause as Error).message.split('\n')
    throw new PayError(EXIT_CODES.failed, `The payment cannot be signed: ${what} Nothing was paid.`, { cause })
  }
}

/** If the outcome is unknown, the same payment is sent again; a new one could be charged too. */
async function sendPayment(options: PayOptions, [name, value]: [string, string], needs: Needs): Promise<Response> {
  // A token of our own: with it the answer can be fetched again if the first response is lost on its way.
  const token = randomBytes(32).toString('base64url')
  for (let attempt = 1; ; attempt++) {
    const headers = { [name]: value, 'Payment-Token': token }
    const answer = await ask(options, needs, headers).catch((error: unknown) => error as PayError)
    if (!(answer instanceof PayError) && answer.status !== 503) return answer
    const reason = answer instanceof PayError ? answer.message : await readMessage(answer)
    if (attempt === MAX_ATTEMPTS) {
      throw new PayError(
        EXIT_CODES.failed,
        `${reason}\nThe outcome of the payment is unknown; check the wallet before paying again.`,
      )
    }
    needs.print(`${reason} Sending the same payment again.`)
    const seconds = answer instanceof PayError ? attempt : Number(answer.headers.get('retry-after') ?? attempt)
    await needs.wait(Math.min(seconds || attempt, MAX_RETRY_SECONDS) * 1000)
  }
}

async function show(answer: Response, { out, print }: Needs): Promise<number> {
  if (answer.ok) out(`${(await answer.text()).trimEnd()}\n`)
  else print(`${answer.status}: ${await readMessage(answer)}`)
  return exitCodeOf(answer.status)
}

async function readMessage(answer: Response): Promise<string> {
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

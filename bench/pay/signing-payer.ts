/**
 * Wallets in a process of their own. First each payment is signed for a 402, then all are sent, so that only the second part
 * is measured. Started with the URL of the service and the keys of the wallets.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { systemClock } from '../../src/kernel/clock.ts'
import { payMpp, payX402 } from '../../test/support/paid-wallets.ts'
import type { Protocol } from './payer.ts'

export type SigningPayerSetUp = { readonly url: string; readonly keys: readonly `0x${string}`[] }
export type SigningPayerRequest =
  | { readonly ask: 'sign'; readonly protocol: Protocol; readonly payments: number }
  /** Sends what was signed before. */
  | { readonly ask: 'send' }
  | { readonly ask: 'free'; readonly requests: number }
export type SigningPayerReply = { readonly failed?: string }

const PAID = '/v1/sandbox/echo'
const FREE = '/v1/sandbox/free-echo'
const PAYERS = { x402: payX402, mpp: payMpp }

const { url, keys } = JSON.parse(process.argv[2]!) as SigningPayerSetUp
const wallets = keys.map((key) => {
  const account = privateKeyToAccount(key)
  return { key, account, address: account.address }
})
type Signed = { readonly path: string; readonly headers: Record<string, string> }
let signed: Signed[] = []
let said = 0

process.on('message', (request: Partial<SigningPayerRequest>) => {
  const known = ['sign', 'send', 'free'].includes(String(request.ask))
  if (!known) return
  serve(request as SigningPayerRequest).then(
    () => process.send!({} satisfies SigningPayerReply),
    (error: unknown) => process.send!({ failed: String(error) } satisfies SigningPayerReply),
  )
})
process.channel!.ref()

async function serve(request: SigningPayerRequest): Promise<void> {
  if (request.ask === 'sign') {
    signed = []
    for (let at = 0; at < request.payments; at++)
      signed.push(await sign(request.protocol, wallets[at % wallets.length]!))
  } else if (request.ask === 'send') await sendAll(signed)
  else await sendAll(Array.from({ length: request.requests }, () => ({ path: pathOf(FREE), headers: {} })))
}

const pathOf = (path: string): string => `${path}?say=${said++}`

async function sign(protocol: Protocol, wallet: (typeof wallets)[number]): Promise<Signed> {
  const path = pathOf(PAID)
  const answer = await fetch(url + path)
  const text = await answer.text()
  if (answer.status !== 402) throw new Error(`A price was asked for, and the answer was ${answer.status}: ${text}`)
  const invited = { status: 402, headers: answer.headers, text, body: JSON.parse(text) as unknown }
  return { path, headers: await PAYERS[protocol](invited, wallet, systemClock) }
}

/** As many at a time as there are wallets. */
async function sendAll(requests: readonly Signed[]): Promise<void> {
  const queue = requests.values()
  const wallet = async () => {
    for (const { path, headers } of queue) {
      const answer = await fetch(url + path, { headers })
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}: ${body}`)
    }
  }
  await Promise.all(wallets.map(wallet))
}

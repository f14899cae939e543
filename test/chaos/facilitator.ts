import { createServer } from 'node:http'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Hex } from '../../src/payments/scheme.ts'
import { BASE, BASE_USDC } from '../../src/payments/sources/x402/network.ts'
import { encodeTransfer, type Transfer } from '../../src/payments/sources/x402/transfer.ts'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'
import type { PaidChains } from '../support/paid-chains.ts'
import { newWallet } from '../support/paid-wallets.ts'

type Signed = {
  readonly signature: Hex
  readonly authorization: { readonly [Field in Exclude<keyof Transfer, 'signature' | 'deployment'>]: string }
}
type Body = { readonly paymentPayload: { readonly payload: Signed } }

const GAS = { gas: 200_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1_000_000n }

/** A facilitator of x402 with a key of its own. It settles an authorization as often as it is asked to; the token takes it once. */
export async function startFacilitator({ base }: Pick<PaidChains, 'base'>, clock: Clock) {
  const { account } = newWallet()
  let last: Promise<unknown> = Promise.resolve()

  const verify = async ({ from, value, validBefore }: Transfer) => {
    if (base.balanceOf(from) < value) return { isValid: false, invalidReason: 'insufficient_funds', payer: from }
    if (Number(validBefore) * 1000 < clock.now())
      return { isValid: false, invalidReason: 'invalid_exact_evm_payload_authorization_valid_before', payer: from }
    return { isValid: true, payer: from }
  }
  const send = async (transfer: Transfer) => {
    const call = { to: BASE_USDC.address, data: encodeTransfer(transfer, false) }
    const about = { network: BASE.id, payer: transfer.from }
    try {
      await base.answer('eth_call', [call])
      const nonce = Number(await base.answer('eth_getTransactionCount', [account.address, 'pending']))
      const raw = await account.signTransaction({ type: 'eip1559', chainId: BASE.chainId, nonce, ...call, ...GAS })
      return { success: true, transaction: await base.answer('eth_sendRawTransaction', [raw]), ...about }
    } catch {
      return { success: false, errorReason: 'invalid_transaction_state', transaction: '', ...about }
    }
  }
  /** One after another, since each needs the nonce after the one before. */
  const settle = (transfer: Transfer) => {
    const sent = last.then(() => send(transfer))
    last = sent
    return sent
  }
  const answer = async (path: string, body: string): Promise<object> => {
    if (path === '/supported') return { kinds: [{ x402Version: 2, scheme: 'exact', network: BASE.id }] }
    const transfer = transferIn(JSON.parse(body) as Body)
    return path === '/verify' ? verify(transfer) : settle(transfer)
  }

  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      answer(request.url ?? '', body).then(
        (reply) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)),
        () => response.writeHead(500).end(),
      )
    })
  })
  return listenOnLoopback(server)
}

function transferIn({ paymentPayload: { payload } }: Body): Transfer {
  const { from, to, nonce, value, validAfter, validBefore } = payload.authorization
  return {
    from: from as Hex,
    to: to as Hex,
    nonce: nonce as Hex,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    signature: payload.signature,
  }
}

/**
 * The same on a real node: `TEMPO_NODE=/path/to/anvil npm test -- src/payments/sources/mpp/real-node.test.ts`, where anvil is
 * 1.7 or later. What the simulated chain cannot prove is proven here; without the variable there is nothing to run.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { Receipt } from 'mppx'
import { privateKeyToAccount } from 'viem/accounts'
import { encodeFunctionData, hexToBigInt, parseAbi } from 'viem/utils'
import { systemClock } from '../../../kernel/clock.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, PaymentRefused, type Scheme } from '../../scheme.ts'
import { ACCESS_KEYS, authorize, ROOT_ACCOUNTS } from './accounts.fixture.ts'
import { challengeOf, headersOf, KEY, neverAborted, OFFER, RECIPIENT, signTransfer } from './mpp.fixture.ts'
import { startPaidServer } from './paid-server.fixture.ts'

const program = process.env['TEMPO_NODE']
/** The node's own dollar, of which its first account has plenty. Everybody knows the key. */
const PATH_USD: Hex = '0x20c0000000000000000000000000000000000000'
const RICH: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BALANCE_OF = parseAbi(['function balanceOf(address) view returns (uint256)'])
/** Before the fourth hard fork a second payment of the same sender is dropped; without blocks no time passes. */
const ARGUMENTS = '--network tempo --chain-id 4217 --hardfork t4 --block-time 1 --mixed-mining --port 0'.split(' ')

if (program !== undefined)
  suite('money on a real node of Tempo', () => {
    let child: ChildProcess
    let node: string

    before(async () => {
      child = spawn(program, ARGUMENTS, { stdio: ['ignore', 'pipe', 'inherit'] })
      for await (const line of createInterface(child.stdout!)) {
        const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
        if (address === undefined) continue
        node = `http://${address}`
        break
      }
      child.stdout!.resume()
      assert.ok(node, 'the node says where it listens')
      // The first block of all is of 1970: nothing signed now is valid then.
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
      await (await fetch(node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
    })
    after(async () => {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    })

    test('the client of mppx pays by what it is told in a 402, and the money arrives', async (t) => {
      const { url, client, rpc } = await startPaidServer(t, node, RICH, { currency: PATH_USD })
      for (const paid of [50_000n, 100_000n]) {
        const response = await client.fetch(url)
        assert.equal(response.status, 200, await response.clone().text())
        const { reference } = Receipt.fromResponse(response)
        const [receipt] = await rpc.ask([{ method: 'eth_getTransactionReceipt', params: [reference] }])
        assert.partialDeepStrictEqual(receipt, { ok: true, result: { status: '0x1' } })
        assert.equal(await balanceOf(rpc, RECIPIENT), paid)
      }
    })

    for (const [kind, accountOf] of Object.entries({ ...ROOT_ACCOUNTS, ...ACCESS_KEYS })) {
      test(`mppx pays with an account of the kind ${kind}, pulled and pushed`, async (t) => {
        const account = accountOf()
        const { rpc } = await startPaidServer(t, node, RICH, { currency: PATH_USD })
        const send = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
          const [outcome] = await rpc.ask([{ method, params }])
          assert.ok(outcome?.ok, JSON.stringify(outcome))
          return outcome.result
        }
        const fund = {
          key: RICH,
          token: PATH_USD,
          recipient: account.address,
          amount: 10_000_000n,
          challengeId: 'fund',
        }
        await send('eth_sendRawTransactionSync', [await signTransfer(systemClock.now(), fund)])
        if ('accessKeyAddress' in account) await authorize({ answer: send }, account)
        const had = await balanceOf(rpc, RECIPIENT)
        for (const mode of ['pull', 'push'] as const) {
          const { url, client } = await startPaidServer(t, node, account, { currency: PATH_USD, mode })
          const response = await client.fetch(url)
          assert.equal(response.status, 200, await response.clone().text())
        }
        assert.equal(await balanceOf(rpc, RECIPIENT), had + 2n * OFFER.price)
      })
    }

    test('payments of one sender at the same time all arrive', async (t) => {
      const { scheme, rpc } = await startPaidServer(t, node, RICH, { currency: PATH_USD })
      const had = await balanceOf(rpc, RECIPIENT)
      await Promise.all(Array.from({ length: 5 }, async () => (await paymentOf(scheme)).settle(neverAborted())))
      assert.equal(await balanceOf(rpc, RECIPIENT), had + 5n * OFFER.price)
    })

    test('a payment that is settled twice is charged once', async (t) => {
      const { scheme, rpc } = await startPaidServer(t, node, RICH, { currency: PATH_USD })
      const had = await balanceOf(rpc, RECIPIENT)
      const payment = await paymentOf(scheme)
      const first = await payment.settle(neverAborted())
      const second = await payment.settle(neverAborted())
      assert.equal(referenceOf(second), referenceOf(first))
      assert.equal(await balanceOf(rpc, RECIPIENT), had + OFFER.price)
    })

    test('what is no payment is refused before it is sent, and nothing moves', async (t) => {
      const { scheme, rpc } = await startPaidServer(t, node, RICH, { currency: PATH_USD })
      const had = await balanceOf(rpc, RECIPIENT)
      for (const draft of [{ amount: OFFER.price - 1n }, { fields: { chainId: 1 } }, { key: KEY }])
        await assert.rejects(async () => (await paymentOf(scheme, draft)).verify(neverAborted()), PaymentRefused)
      assert.equal(await balanceOf(rpc, RECIPIENT), had)
    })
  })

async function paymentOf(scheme: Scheme, draft: Partial<Parameters<typeof signTransfer>[1]> = {}) {
  const challenge = challengeOf(scheme)
  const signed = { challengeId: challenge.id, key: RICH, token: PATH_USD, ...draft }
  const payload = { type: 'transaction', signature: await signTransfer(systemClock.now(), signed) }
  const source = `did:pkh:eip155:4217:${privateKeyToAccount(signed.key).address}`
  const payment = scheme.parse(headersOf({ challenge, payload, source }), OFFER)
  if (!payment) throw new Error('there is no payment')
  return payment
}

const referenceOf = ({ headers: [, receipt = ''] }: { readonly headers: readonly string[] }) =>
  Receipt.deserialize(receipt).reference

async function balanceOf(rpc: Pick<EthereumRpc, 'ask'>, address: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: BALANCE_OF, functionName: 'balanceOf', args: [address] })
  const [outcome] = await rpc.ask([{ method: 'eth_call', params: [{ to: PATH_USD, data }, 'latest'] }])
  if (!outcome?.ok) throw new Error('the node does not tell')
  return hexToBigInt(outcome.result as Hex)
}

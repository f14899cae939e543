import assert from 'node:assert/strict'
import { startChainForFile } from './chain.fixture.ts'
import { suite, test, type TestContext } from 'node:test'
import { startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type JsonRpcRequest, serveNode } from '../../../protocols/ethereum/node.fixture.ts'
import {
  NEVER_ABORTED,
  openScheme,
  parsePayment,
  PRICE,
  v2Headers,
  signAuthorization,
  createWallet,
} from './x402.fixture.ts'

const chain = await startChainForFile()

/** What a bad line makes of a call: it gets lost on the way there or back, or comes back as something else. */
type Fate = 'through' | 'lost there' | 'lost back' | object

/** A line to the real node on which a test decides what gets through. */
async function badLine(t: TestContext, fateOf: (call: JsonRpcRequest) => Fate): Promise<string> {
  const respond = async (call: JsonRpcRequest): Promise<object | null> => {
    const fate = fateOf(call)
    if (typeof fate === 'object') return { jsonrpc: '2.0', id: call.id, ...fate }
    if (fate === 'lost there') return null
    const { method, params, id } = call
    const answer = await chain.rpc(method, params).then(
      (result) => ({ jsonrpc: '2.0', id, result }),
      ({ code = -32_603, message }: Error & { code?: number }) => ({ jsonrpc: '2.0', id, error: { code, message } }),
    )
    return fate === 'lost back' ? null : answer
  }
  const { url } = await serveNode(t, (posted, response) => {
    const calls = [posted].flat()
    const finish = async () => {
      const answers = await Promise.all(calls.map(respond))
      if (answers.includes(null)) response.destroy()
      else response.end(JSON.stringify(Array.isArray(posted) ? answers : answers[0]))
    }
    void finish()
  })
  return url
}

const isBroadcast = ({ method }: JsonRpcRequest) => method === 'eth_sendRawTransaction'
const unknown = (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  return true
}

async function paying(t: TestContext, fateOf: (call: JsonRpcRequest) => Fate, confirmTimeoutMs = 20_000) {
  const url = await badLine(t, fateOf)
  const till = await openScheme(t, chain, { urls: [url], confirmTimeoutMs })
  const account = await createWallet(chain, 2n * PRICE)
  const payload = await signAuthorization(account)
  return { ...till, account, payload, payment: parsePayment(till.scheme, v2Headers(payload)) }
}

suite('answers that get lost', () => {
  test('one lost after the broadcast is asked for again, and nothing is paid twice', async (t) => {
    let broadcasts = 0
    const { payment, account, settler } = await paying(t, (call) =>
      isBroadcast(call) && ++broadcasts === 1 ? 'lost back' : 'through',
    )
    await payment.settle(NEVER_ABORTED)
    assert.equal(broadcasts, 2)
    assert.equal(await chain.balanceOf(account.address), PRICE)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x1')
  })

  test('where all are lost the outcome is unknown; recovery finds the transaction, here and elsewhere', async (t) => {
    let isBad = true
    const { payment, account } = await paying(t, (call) => (isBad && isBroadcast(call) ? 'lost back' : 'through'))
    await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    isBad = false
    const found = await payment.recover(NEVER_ABORTED)
    assert.ok(found)
    assert.deepEqual(await payment.settle(NEVER_ABORTED), found)
    const other = await openScheme(t, chain)
    assert.deepEqual(await other.scheme.restore(payment.stored).recover(NEVER_ABORTED), found)
    assert.equal(await chain.balanceOf(account.address), PRICE)
  })

  test('where the broadcast itself is lost nothing is taken, and settled again it is, with no number left out', async (t) => {
    let isBad = true
    const { payment, account, scheme, settler } = await paying(t, (call) =>
      isBad && isBroadcast(call) ? 'lost there' : 'through',
    )
    await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    isBad = false
    assert.equal(await payment.recover(NEVER_ABORTED), null)
    const another = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await Promise.all([another.settle(NEVER_ABORTED), payment.settle(NEVER_ABORTED)])
    assert.equal(await chain.balanceOf(account.address), PRICE)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x2')
  })

  test('where no receipt comes in time the outcome is unknown, and the transaction is not signed anew', async (t) => {
    let isBlind = true
    const { payment, account, settler } = await paying(
      t,
      ({ method }) => (isBlind && method === 'eth_getTransactionReceipt' ? { result: null } : 'through'),
      50,
    )
    await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    isBlind = false
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.balanceOf(account.address), PRICE)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x1')
  })

  test('a transaction that waits in the pool is sent again as it is, and those after it do not take its number', async (t) => {
    const own = await startBaseChain()
    t.after(own.stop)
    const { scheme, settler } = await openScheme(t, own, { confirmTimeoutMs: 50 })
    const accounts = await Promise.all([createWallet(own, 2n * PRICE), createWallet(own, 2n * PRICE)])
    const payments = await Promise.all(
      accounts.map(async (account) => parsePayment(scheme, v2Headers(await signAuthorization(account)))),
    )
    await own.setAutomine(false)
    for (const payment of [...payments, ...payments]) await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    assert.equal(await own.rpc('eth_getTransactionCount', [settler.address, 'pending']), '0x2')
    await own.mine()
    const found = await Promise.all(payments.map((payment) => payment.recover(NEVER_ABORTED)))
    assert.ok(found.every((settlement) => settlement !== null))
    const left = await Promise.all(accounts.map(({ address }) => own.balanceOf(address)))
    assert.deepEqual(left, [PRICE, PRICE])
  })

  test('20 payments over a line that loses a third of all broadcasts are all paid in the end, each once', async (t) => {
    let broadcasts = 0
    const fates = ['through', 'lost back', 'lost there'] as const
    const { scheme } = await paying(t, (call) => (isBroadcast(call) ? fates[broadcasts++ % 3]! : 'through'))
    const accounts = await Promise.all(Array.from({ length: 20 }, () => createWallet(chain, 2n * PRICE)))
    await Promise.all(
      accounts.map(async (account) => {
        const payment = parsePayment(scheme, v2Headers(await signAuthorization(account)))
        for (let tries = 0; tries < 10; tries++) {
          const done = await payment.settle(NEVER_ABORTED).catch(unknown)
          if (done !== true) return
        }
        assert.fail('it was never paid')
      }),
    )
    const left = await Promise.all(accounts.map(({ address }) => chain.balanceOf(address)))
    assert.deepEqual(
      left,
      accounts.map(() => PRICE),
    )
  })
})

suite('nodes that fail or lie', () => {
  const word = (last: string) => `0x${last.padStart(64, '0')}`
  for (const [what, fate] of Object.entries({
    'is down': 'lost there',
    'has an error of its own': { error: { code: -32_603, message: 'internal error' } },
    'is behind': { error: { code: -32_000, message: 'header not found' } },
    'answers nothing': { result: '0x' },
    'answers rubbish': { result: 7 },
    'answers neither yes nor no': { result: word('2') },
  } satisfies Record<string, Fate>)) {
    test(`a node that ${what} makes no payment a bad one`, async (t) => {
      const { payment } = await paying(t, ({ method }) => (method === 'eth_call' ? fate : 'through'))
      await assert.rejects(payment.verify(NEVER_ABORTED), unknown)
      await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
      await assert.rejects(payment.recover(NEVER_ABORTED), unknown)
    })
  }

  test('of a node that fails the next is asked', async (t) => {
    const url = await badLine(t, () => 'lost there')
    const { scheme } = await openScheme(t, chain, { urls: [url, chain.url] })
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await payment.verify(NEVER_ABORTED)
    await payment.settle(NEVER_ABORTED)
  })

  test('a receipt without the transfer is not believed', async (t) => {
    const receipt = ({ params: [hash] }: JsonRpcRequest) => ({
      result: {
        transactionHash: hash,
        blockNumber: '0x1',
        status: '0x1',
        gasUsed: '0x1',
        effectiveGasPrice: '0x1',
        logs: [],
      },
    })
    const { payment, account } = await paying(t, (call) => {
      if (isBroadcast(call)) return { result: word('1') }
      return call.method === 'eth_getTransactionReceipt' ? receipt(call) : 'through'
    })
    await assert.rejects(payment.settle(NEVER_ABORTED), unknown)
    assert.equal(await chain.balanceOf(account.address), 2n * PRICE)
  })

  test('a node that looks through few blocks at once is asked for few at once', async (t) => {
    const tooMany = { error: { code: -32_600, message: 'up to a 10 block range' } }
    let requests = 0
    const { payment } = await paying(t, ({ method, params }) => {
      if (method !== 'eth_getLogs') return 'through'
      requests++
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      return Number(toBlock) - Number(fromBlock) >= 10 ? tooMany : 'through'
    })
    const settlement = await payment.settle(NEVER_ABORTED)
    assert.deepEqual(await payment.recover(NEVER_ABORTED), settlement)
    assert.ok(requests > 1)
  })

  test('a used payment that the log does not tell of is unknown, and not refused', async (t) => {
    const { payment } = await paying(t, ({ method }) => (method === 'eth_getLogs' ? { result: [] } : 'through'))
    await payment.settle(NEVER_ABORTED)
    await assert.rejects(payment.recover(NEVER_ABORTED), unknown)
  })

  test('a number that somebody else used up is passed over', async (t) => {
    let counts = 0
    const stale = () => (counts++ === 0 ? { result: '0x0' } : 'through')
    const { scheme, settler } = await paying(t, ({ method }) =>
      method === 'eth_getTransactionCount' ? stale() : 'through',
    )
    await chain.rpc('hardhat_setNonce', [settler.address, '0x7'])
    const payment = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await payment.settle(NEVER_ABORTED)
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x8')
  })

  test('who leaves is let go, and the next is settled all the same', async (t) => {
    const leaving = new AbortController()
    const { payment, scheme, settler } = await paying(t, (call) => {
      if (isBroadcast(call)) leaving.abort(new Error('gone'))
      return 'through'
    })
    await assert.rejects(payment.settle(leaving.signal), /gone/)
    const another = parsePayment(scheme, v2Headers(await signAuthorization(await createWallet(chain))))
    await another.settle(NEVER_ABORTED)
    assert.ok(await payment.recover(NEVER_ABORTED))
    assert.equal(await chain.rpc('eth_getTransactionCount', [settler.address, 'latest']), '0x2')
  })

  test('a payment that only a contract could have signed is not refused while no node answers', async (t) => {
    const { scheme, payload } = await paying(t, () => 'lost there')
    const other = await signAuthorization(await createWallet(chain))
    const forged = parsePayment(scheme, v2Headers({ ...payload, signature: other.signature }))
    assert.equal(await forged.isSigned(), false)
    await assert.rejects(forged.verify(NEVER_ABORTED), unknown)
  })
})

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Receipt } from 'mppx'
import { systemClock } from '../../../kernel/clock.ts'
import { createSimulatedTempo } from '../../play-money/tempo.ts'
import { ACCESS_KEYS, authorize, ROOT_ACCOUNTS } from './accounts.fixture.ts'
import { KEY, PAYER, RECIPIENT } from './mpp.fixture.ts'
import { TEMPO_USDC } from './scheme.ts'
import { listen, startPaidServer } from './paid-server.fixture.ts'

async function open(t: TestContext, payer: Parameters<typeof startPaidServer>[2] = KEY, mode?: 'pull' | 'push') {
  const chain = createSimulatedTempo({ clock: systemClock, token: TEMPO_USDC })
  const node = await listen(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(200, { 'content-type': 'application/json' }).end(await chain.handle(body))
  })
  return { chain, node, ...(await startPaidServer(t, node, payer, { ...(mode && { mode }) })) }
}

test('the client of mppx pays by what it is told in a 402, and can read the receipt', async (t) => {
  const { chain, url, client } = await open(t)
  chain.fund(PAYER, 120_000n)
  for (const paid of [50_000n, 100_000n]) {
    const response = await client.fetch(url)
    assert.equal(response.status, 200, await response.clone().text())
    assert.deepEqual(await response.json(), { paid: true })
    const { method, reference } = Receipt.fromResponse(response)
    assert.equal(method, 'tempo')
    assert.ok(await chain.answer('eth_getTransactionReceipt', [reference]))
    assert.equal(chain.balanceOf(RECIPIENT), paid)
  }
  assert.equal(chain.balanceOf(PAYER), 20_000n)
})

test('the client of mppx is told why it gets nothing when it has no money', async (t) => {
  const { chain, url, client } = await open(t)
  // It finds out by itself, when it asks the node what the payment would take.
  await assert.rejects(client.fetch(url), /InsufficientBalance|reverted/i)
  assert.equal(chain.supply(), 0n)
})

for (const [kind, accountOf] of Object.entries({ ...ROOT_ACCOUNTS, ...ACCESS_KEYS })) {
  test(`mppx pays with an account of the kind ${kind}, again and again`, async (t) => {
    const account = accountOf()
    const { chain, url, client } = await open(t, account)
    chain.fund(account.address, 120_000n)
    if ('accessKeyAddress' in account) await authorize(chain, account)
    for (const paid of [50_000n, 100_000n]) {
      const response = await client.fetch(url)
      assert.equal(response.status, 200, await response.clone().text())
      assert.equal(chain.balanceOf(RECIPIENT), paid)
    }
  })
}

test('mppx pushes: it sends the transfer itself and names it', async (t) => {
  const account = ROOT_ACCOUNTS.P256()
  const { chain, url, client } = await open(t, account, 'push')
  chain.fund(account.address, 60_000n)
  const response = await client.fetch(url)
  assert.equal(response.status, 200, await response.clone().text())
  assert.ok(await chain.answer('eth_getTransactionReceipt', [Receipt.fromResponse(response).reference]))
  assert.equal(chain.balanceOf(RECIPIENT), 50_000n)
})

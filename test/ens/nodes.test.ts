import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { suite, test } from 'node:test'
import { createPublicClient, encodeFunctionData, http, parseAbi } from 'viem'
import { mainnet } from 'viem/chains'
import { NEIGHBOUR } from '../../sandbox/chain/accounts.ts'
import { SANDBOX_ADDRESSES } from '../../sandbox/chain/addresses.ts'
import { send } from '../../sandbox/chain/send.ts'
import { checkEns, ensHealth, ensMetadata } from '../../src/ens/contract/lookups.ts'
import { ensRecords, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import { useNodes } from './chain.fixture.ts'

suite('several Ethereum nodes', () => {
  const setup = useNodes()

  test('if a node refuses connections the next one is used, and used first from then on', async () => {
    const [first, second] = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns([first, second])
    await setup.stopRelay(first)
    assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1)
    assert.equal((await ens.ask(ensHealth, {})).ens.rpcConnected, true)
  })

  test('if a node hangs it is given up, and the next one is used from then on', async () => {
    const [first, second] = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns([first, second])
    first.behave({ kind: 'hang' })
    const before = first.asked.length
    assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1)
    assert.equal(await second.count(() => ens.ask(checkEns, { name: 'vault' })), 1)
    assert.equal(await second.count(() => ens.ask(ensMetadata, { name: 'vault' })), 1)
    assert.equal(first.asked.length - before, 1)
  })

  test('a node that throttles or returns garbage is skipped, too', async () => {
    for (const kind of ['throttled', 'foreign', 'cut', 'down'] as const) {
      const [first, second] = [await setup.startRelay(), await setup.startRelay()]
      const ens = await setup.startEns([first, second])
      first.behave(kind === 'throttled' ? { kind, seconds: 30 } : { kind })
      assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1, kind)
    }
  })

  test('a node of another chain is reported without its URL, and not used; the service starts', async () => {
    const [right, wrong] = [await setup.startRelay(), await setup.startRelay()]
    wrong.answerWith((body) => {
      const calls = [JSON.parse(body)].flat() as { id: number }[]
      const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x2105' }))
      return body.startsWith('[') ? answers : answers[0]
    })
    const errors: unknown[] = []
    const log = {
      debug() {},
      info() {},
      warn() {},
      error: (facts: { error?: unknown }) => void errors.push(facts.error),
    }
    const ens = await setup.startEns([wrong, right], log)
    const error = errors.find((each) => each instanceof Error)
    assert.match(error!.message, /^Ethereum node 1 of 2 serves chain 8453; chain 1 is needed\./)
    assert.ok(!error!.message.includes(wrong.url))
    const before = wrong.asked.length
    assert.equal((await ens.ask(checkEns, { name: 'taken' })).available, false)
    assert.equal(wrong.asked.length, before)
  })

  test('the gateway of an off-chain name is never contacted', async () => {
    let connections = 0
    const gateway = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    try {
      const { port } = gateway.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/{sender}/{data}.json`
      const data = encodeFunctionData({ abi: parseAbi(['function setUrl(string)']), args: [url] })
      await send(setup.chain.rpc, { from: NEIGHBOUR.address, to: SANDBOX_ADDRESSES.offchainResolver, data })
      const ens = await setup.startEns([setup.chain])
      const records = await ens.ask(ensRecords, { name: 'offchain' })
      assert.deepEqual([records.offchain, records.addresses, records.text], [true, {}, {}])
      const metadata = await ens.ask(ensMetadata, { name: 'offchain' })
      assert.ok(!('results' in metadata) && metadata.offchain === true && metadata.address === '')
      await ens.ask(ensMetadata, { names: 'offchain,taken', refresh: true })
      await ens.ask(checkEns, { name: 'offchain' })
      const update = { name: 'offchain', owner: NEIGHBOUR.address, text: { url: 'https://new.example' } }
      const { status, error, message } = await ens.refusal(prepareEnsUpdate, update)
      assert.deepEqual([status, error], [400, 'prepare_update_failed'])
      assert.match(message, /stored off-chain/)
      for (const response of [records, metadata, message]) assert.ok(!JSON.stringify(response).includes(String(port)))
      assert.equal(connections, 0)
      // Control: a client that follows off-chain lookups does contact it.
      const following = createPublicClient({ chain: mainnet, transport: http(setup.chain.url) })
      await assert.rejects(following.getEnsAddress({ name: 'offchain.eth', strict: true }))
      assert.ok(connections > 0)
    } finally {
      gateway.close()
      await once(gateway, 'close')
    }
  })
})

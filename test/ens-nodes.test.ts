import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { mainnet } from 'viem/chains'
import { ADMIN, NEIGHBOUR, WALLET } from '../sandbox/chain/accounts.ts'
import { ELSEWHERE, MAINNET } from '../sandbox/chain/addresses.ts'
import { send } from '../sandbox/chain/send.ts'
import { type Chain, startChain } from '../sandbox/chain/start.ts'
import { checkEns, ensHealth, ensMetadata, ensTransactionStatus } from '../src/ens/contract.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from '../src/ens/contract-holding.ts'
import {
  checkEnsRegistration,
  ensPremium,
  prepareEnsCommit,
  prepareEnsRegister,
} from '../src/ens/contract-registration.ts'
import { manualClock } from '../src/kernel/clock.ts'
import { type Ens, type Relay, startEns, startRelay, throwAwayFolder, walletOf } from './support/ens.ts'

const OFFICES = parseAbi(['function removeController(address)', 'function setController(address, bool)'])
const owner = WALLET.address
const clock = manualClock(Date.UTC(2026, 10, 15, 12))
const running: { stop(): Promise<void> }[] = []
let chain: Chain
let folder: ReturnType<typeof throwAwayFolder>

/** A relay before the chain's node; gone when the test ends. */
const relayed = async (): Promise<Relay> => {
  const relay = await startRelay(chain.url)
  running.push(relay)
  return relay
}

/** A service that asks these nodes in turn; gone when the test ends. */
const asking = async (...nodes: { url: string }[]): Promise<Ens> => {
  const urls = nodes.map(({ url }) => url).join(',')
  const ens = await startEns({ settings: { ...folder.settings, ONOMA_ETH_RPC_URLS: urls }, clock })
  running.push(ens)
  return ens
}

suite('ENS and its nodes', () => {
  let snapshot: unknown
  before(async () => {
    folder = throwAwayFolder()
    chain = await startChain({ clock })
    snapshot = await chain.rpc('evm_snapshot')
  })
  beforeEach(async () => {
    await chain.rpc('evm_revert', [snapshot])
    snapshot = await chain.rpc('evm_snapshot')
  })
  afterEach(async () => {
    for (const each of running.splice(0).toReversed()) await each.stop()
  })
  after(async () => {
    await chain.stop()
    folder.remove()
  })

  suite('round trips', () => {
    test('every question is one, however much it is about', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const names = Array.from({ length: 49 }, (_, at) => `name-${at}`).concat('taken')
      const hash = `0x${'ab'.repeat(32)}`
      const questions: Readonly<Record<string, () => Promise<unknown>>> = {
        'check of a free name': () => ens.ask(checkEns, { name: 'brand-new' }),
        'check of a taken name': () => ens.ask(checkEns, { name: 'taken' }),
        metadata: () => ens.ask(ensMetadata, { name: 'taken' }),
        'metadata of a wrapped name': () => ens.ask(ensMetadata, { name: 'wrapped' }),
        'metadata without a resolver': () => ens.ask(ensMetadata, { name: 'bare' }),
        'metadata outside the chain': () => ens.ask(ensMetadata, { name: 'offchain' }),
        'metadata of nobody': () => ens.refusal(ensMetadata, { name: 'nobodys' }),
        'metadata of 50 names': () => ens.ask(ensMetadata, { names: names.join(','), refresh: true }),
        records: () => ens.ask(ensRecords, { name: 'taken' }),
        expiry: () => ens.ask(ensExpiry, { name: 'taken' }),
        'expiry of a wrapped name': () => ens.ask(ensExpiry, { name: 'wrapped' }),
        premium: () => ens.ask(ensPremium, { name: 'premium', below_usd: 100 }),
        'register/check': () => ens.ask(checkEnsRegistration, { name: 'brand-new' }),
        'tx/status': () => ens.ask(ensTransactionStatus, { hash }),
        health: () => ens.ask(ensHealth, {}),
      }
      const counts: [string, number][] = []
      for (const [what, question] of Object.entries(questions)) counts.push([what, await node.count(question)])
      assert.deepEqual(
        counts,
        Object.keys(questions).map((what) => [what, 1]),
      )
    })

    test('a transaction takes two at most to prepare, and one to refuse for what is known', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const wallet = walletOf(WALLET.privateKey, chain.url)
      const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
      await wallet.send(transaction)
      const early = await node.count(() => ens.refusal(prepareEnsRegister, { registration_id }))
      await chain.increaseTime(60)
      const text = { url: 'https://new.example' }
      const counts = [
        await node.count(() => ens.ask(prepareEnsCommit, { name: 'another-one', owner })),
        await node.count(() => ens.ask(prepareEnsRegister, { registration_id })),
        await node.count(() => ens.ask(prepareEnsUpdate, { name: 'taken', owner, text })),
        await node.count(() => ens.ask(prepareEnsRenewal, { name: 'taken' })),
        await node.count(() => ens.ask(prepareEnsRenewal, { name: 'wrapped' })),
      ]
      assert.deepEqual(counts, [2, 2, 2, 2, 2])
      const taken = await node.count(() => ens.refusal(prepareEnsCommit, { name: 'taken', owner }))
      const nonsense = await node.count(() => ens.refusal(prepareEnsRegister, { registration_id: 'nonsense' }))
      assert.deepEqual([early, taken, nonsense], [1, 1, 0])
    })

    test('a transaction its owner could not pay for is prepared all the same', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const poor: Hex = '0x00000000000000000000000000000000DeaDBeef'
      const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner: poor })
      await walletOf(WALLET.privateKey, chain.url).send(transaction)
      await chain.increaseTime(60)
      const requests = await node.count(() => ens.ask(prepareEnsRegister, { registration_id }))
      assert.ok(requests <= 2, String(requests))
    })

    test('what is known a short while ago is not asked again, unless that is wished', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const names = 'taken,wrapped,brand-new'
      await ens.ask(checkEns, { name: 'taken' })
      await ens.ask(ensMetadata, { names })
      await ens.ask(ensHealth, {})
      const again = async () => {
        const { source, checkedAt } = await ens.ask(checkEns, { name: 'TAKEN.eth' })
        assert.deepEqual([source, checkedAt], ['rpc+cache', new Date(clock.now()).toISOString()])
        await ens.ask(ensMetadata, { names })
        await ens.ask(ensMetadata, { name: 'wrapped.eth' })
        await ens.refusal(ensMetadata, { name: 'brand-new' })
        const { cacheStats } = await ens.ask(ensHealth, {})
        assert.deepEqual(cacheStats, { availability: 1, metadata: 3 })
      }
      assert.equal(await node.count(again), 0)
      assert.equal(await node.count(() => ens.ask(checkEns, { name: 'taken', refresh: true })), 1)
      assert.equal(await node.count(() => ens.ask(ensMetadata, { name: 'taken', refresh: true })), 1)
      assert.equal(await node.count(() => ens.ask(ensMetadata, { names: `${names},vault,grace` })), 1)
      clock.advance(60_001)
      assert.equal(await node.count(() => ens.ask(ensMetadata, { names })), 1)
      assert.equal(await node.count(() => ens.ask(ensHealth, {})), 1)
    })

    test('who asks the same at the same time shares one', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const crowd = (question: () => Promise<unknown>) => () => Promise.all(Array.from({ length: 20 }, question))
      assert.equal(await node.count(crowd(() => ens.ask(checkEns, { name: 'taken' }))), 1)
      assert.equal(await node.count(crowd(() => ens.ask(ensMetadata, { name: 'taken' }))), 1)
      assert.equal(await node.count(crowd(() => ens.ask(ensMetadata, { names: 'vault,wrapped' }))), 1)
      assert.equal(await node.count(crowd(() => ens.ask(ensHealth, {}))), 1)
    })
  })

  suite('several nodes', () => {
    test('one that refuses connections is passed over for the next, and no longer asked first', async () => {
      const [first, second] = [await relayed(), await relayed()]
      const ens = await asking(first, second)
      await first.stop()
      running.splice(running.indexOf(first), 1)
      assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1)
      assert.equal((await ens.ask(ensHealth, {})).ens.rpcConnected, true)
    })

    test('one that hangs is given up, and the next answers at once from then on', async () => {
      const [first, second] = [await relayed(), await relayed()]
      const ens = await asking(first, second)
      first.behave({ kind: 'hang' })
      const before = first.asked.length
      assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1)
      assert.equal(await second.count(() => ens.ask(checkEns, { name: 'vault' })), 1)
      assert.equal(await second.count(() => ens.ask(ensMetadata, { name: 'vault' })), 1)
      assert.equal(first.asked.length - before, 1)
    })

    test('one that wants to be asked less often, or answers nonsense, is passed over as well', async () => {
      for (const kind of ['throttled', 'foreign', 'cut', 'down'] as const) {
        const [first, second] = [await relayed(), await relayed()]
        const ens = await asking(first, second)
        first.behave(kind === 'throttled' ? { kind, seconds: 30 } : { kind })
        assert.equal(await second.count(() => ens.ask(checkEns, { name: 'taken' })), 1, kind)
      }
    })

    test('one of another chain is refused at the start, in words and without its URL', async () => {
      const [right, wrong] = [await relayed(), await relayed()]
      wrong.answerWith((body) => {
        const calls = [JSON.parse(body)].flat() as { id: number }[]
        const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x2105' }))
        return body.startsWith('[') ? answers : answers[0]
      })
      await assert.rejects(asking(right, wrong), (error: Error) => {
        assert.match(error.message, /^Ethereum node 2 of 2 serves chain 8453; chain 1 is needed\./)
        assert.ok(!error.message.includes(wrong.url))
        return true
      })
    })
  })

  suite('health', () => {
    test('is degraded while no node answers, and ok again after', async () => {
      const node = await relayed()
      const ens = await asking(node)
      const healthy = await ens.ask(ensHealth, {})
      assert.deepEqual([healthy.status, healthy.ens], ['ok', { status: 'ok', rpcConnected: true }])
      node.behave({ kind: 'reset' })
      clock.advance(5_001)
      const ill = { status: 'no Ethereum node answers', rpcConnected: false }
      const { status, ens: condition } = await ens.ask(ensHealth, {})
      assert.deepEqual([status, condition], ['degraded', ill])
      const elsewhere = await ens.get(`${ens.ensUrl}/health`)
      assert.deepEqual([elsewhere.status, elsewhere.body['ens']], [200, ill])
      node.behave({ kind: 'ok' })
      clock.advance(1_001)
      assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
    })

    test('is degraded while only one of two nodes answers: nothing can be prepared then', async () => {
      const [first, second] = [await relayed(), await relayed()]
      const ens = await asking(first, second)
      assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
      second.behave({ kind: 'reset' })
      clock.advance(5_001)
      const { status, ens: condition } = await ens.ask(ensHealth, {})
      const alone = 'only one Ethereum node answers, so no transaction can be prepared'
      assert.deepEqual([status, condition], ['degraded', { status: alone, rpcConnected: true }])
      assert.equal((await ens.refusal(prepareEnsCommit, { name: 'brand-new', owner })).error, 'prepare_commit_failed')
      assert.equal((await ens.ask(checkEns, { name: 'brand-new' })).available, true)
      second.behave({ kind: 'ok' })
      clock.advance(60_000)
      assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
    })

    test('is degraded where the node is gone already when the service starts', async () => {
      const node = await relayed()
      await node.stop()
      running.pop()
      const ens = await asking(node)
      assert.equal((await ens.ask(ensHealth, {})).status, 'degraded')
    })

    const asAdmin = (to: Hex, data: Hex) => send(chain.rpc, { from: ADMIN.address, to, data })
    const dismissFromRegistrar = (who: Hex) =>
      asAdmin(MAINNET.registrar, encodeFunctionData({ abi: OFFICES, functionName: 'removeController', args: [who] }))
    const appointAtWrapper = (who: Hex, isActive: boolean) => {
      const args = [who, isActive] as const
      return asAdmin(MAINNET.nameWrapper, encodeFunctionData({ abi: OFFICES, functionName: 'setController', args }))
    }
    const NO_AUTHORITY = /^The ENS registrar no longer lets this controller register or renew names/

    test('is degraded when the registrar dismisses the controller, and nothing is prepared then', async () => {
      const ens = await asking(chain)
      const { registration_id, transaction } = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
      await walletOf(WALLET.privateKey, chain.url).send(transaction)
      await chain.increaseTime(60)
      await dismissFromRegistrar(MAINNET.controller)
      const { status, ens: condition } = await ens.ask(ensHealth, {})
      assert.deepEqual([status, condition.rpcConnected], ['degraded', true])
      assert.match(condition.status, /no longer lets our controller register/)

      const refusals = [
        await ens.refusal(prepareEnsCommit, { name: 'brand-new', owner }),
        await ens.refusal(prepareEnsRegister, { registration_id }),
        await ens.refusal(prepareEnsRenewal, { name: 'taken' }),
        await ens.refusal(checkEnsRegistration, { name: 'brand-new' }),
      ]
      assert.deepEqual(
        refusals.map(({ status, error }) => `${status} ${error}`),
        ['400 prepare_commit_failed', '500 prepare_register_failed', '400 prepare_renew_failed', '400 check_failed'],
      )
      for (const { message } of refusals) assert.match(message, NO_AUTHORITY)
      // What does not need the controller goes on.
      await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
      await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
    })

    test('wrapped names are renewed as long as wrapper and controller of 2023 are in office', async () => {
      const ens = await asking(chain)
      // It acts through the wrapper: what the registrar thinks of the controller itself is of no account.
      await dismissFromRegistrar(MAINNET.wrappedController)
      const { transaction } = await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
      const hash = await walletOf(NEIGHBOUR.privateKey, chain.url).send(transaction)
      assert.equal((await ens.ask(ensTransactionStatus, { hash })).status, 'confirmed')

      await appointAtWrapper(MAINNET.wrappedController, false)
      assert.match((await ens.refusal(prepareEnsRenewal, { name: 'wrapped' })).message, NO_AUTHORITY)
      await appointAtWrapper(MAINNET.wrappedController, true)
      await ens.ask(prepareEnsRenewal, { name: 'wrapped' })
      await dismissFromRegistrar(MAINNET.nameWrapper)
      assert.match((await ens.refusal(prepareEnsRenewal, { name: 'wrapped' })).message, NO_AUTHORITY)
      assert.equal((await ens.ask(ensHealth, {})).status, 'ok')
    })
  })

  test('nobody goes where the records of a name point outside the chain', async () => {
    let visitors = 0
    const trap = createServer((socket) => {
      visitors += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(trap, 'listening')
    try {
      const { port } = trap.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/{sender}/{data}.json`
      const data = encodeFunctionData({ abi: parseAbi(['function setUrl(string)']), args: [url] })
      await send(chain.rpc, { from: NEIGHBOUR.address, to: ELSEWHERE.offchainResolver, data })
      const ens = await asking(chain)
      const records = await ens.ask(ensRecords, { name: 'offchain' })
      assert.deepEqual([records.offchain, records.addresses, records.text], [true, {}, {}])
      const metadata = await ens.ask(ensMetadata, { name: 'offchain' })
      assert.ok(!('results' in metadata) && metadata.offchain === true && metadata.address === '')
      await ens.ask(ensMetadata, { names: 'offchain,taken', refresh: true })
      await ens.ask(checkEns, { name: 'offchain' })
      const update = { name: 'offchain', owner: NEIGHBOUR.address, text: { url: 'https://new.example' } }
      const { status, error, message } = await ens.refusal(prepareEnsUpdate, update)
      assert.deepEqual([status, error], [400, 'prepare_update_failed'])
      assert.match(message, /lie outside the chain/)
      for (const said of [records, metadata, message]) assert.ok(!JSON.stringify(said).includes(String(port)))
      assert.equal(visitors, 0)
      // The trap is a good one: a client that follows such addresses steps into it.
      const careless = createPublicClient({ chain: mainnet, transport: http(chain.url) })
      await assert.rejects(careless.getEnsAddress({ name: 'offchain.eth', strict: true }))
      assert.ok(visitors > 0)
    } finally {
      trap.close()
      await once(trap, 'close')
    }
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeFunctionData, namehash, numberToHex, parseAbi } from 'viem'
import { WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { send } from '../../sandbox/chain/send.ts'
import { prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import type { Log } from '../../src/kernel/log.ts'
import type { RpcCall } from '../support/ens.ts'
import { assertRejected, LIES, makeLag, makeLie, usePreparation } from './lying-nodes.fixture.ts'

const owner = WALLET.address
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
const DISAGREE = /^The Ethereum nodes disagree about .*try again in a moment\.$/

suite('ENS transactions and lying nodes', () => {
  const { setup, cases } = usePreparation()

  /** The response without its random parts. */
  const deterministicPart = (answer: unknown): unknown => {
    const { registration_id: _, secret: __, commitment: ___, transaction, ...rest } = answer as Record<string, unknown>
    const { to, value, gas_source } = transaction as Record<string, unknown>
    return { ...rest, to, value, gas_source }
  }

  test('if one of two nodes lies, no transaction is prepared from the lie, whichever node it is', async () => {
    const honest = await setup.startEns([await setup.startRelay(), await setup.startRelay()])
    const truths = new Map<string, unknown>()
    for (const [what, [endpoint, input]] of Object.entries(cases())) {
      truths.set(what, deterministicPart(await honest.ask(endpoint, input)))
    }
    for (const position of [0, 1]) {
      const nodes = [await setup.startRelay(), await setup.startRelay()]
      const ens = await setup.startEns(nodes)
      const refusals = new Map<string, number>()
      for (const [lie, change] of Object.entries(LIES)) {
        const { lies } = makeLie(nodes[position]!, change)
        for (const [what, preparation] of Object.entries(cases())) {
          const before = lies()
          const is = `node ${position + 1} says that ${lie}: ${what}`
          const { status, body } = await ens.send(preparation[0], preparation[1])
          if (lies() === before) assert.deepEqual(deterministicPart(body), truths.get(what), is)
          else {
            assert.equal(`${status} ${String(body['error'])}`, preparation[2], is)
            assert.match(String(body['message']), DISAGREE, is)
            refusals.set(lie, (refusals.get(lie) ?? 0) + 1)
          }
        }
      }
      // Every lie reached at least one endpoint; otherwise this test would prove nothing about it.
      assert.deepEqual([...refusals.keys()], Object.keys(LIES))
    }
  })

  test('of three nodes two that agree are enough, whichever lies', async () => {
    for (const position of [0, 1, 2]) {
      const nodes = [await setup.startRelay(), await setup.startRelay(), await setup.startRelay()]
      const warnings: unknown[] = []
      const ens = await setup.startEns(nodes, { ...silent, warn: (fields) => void warnings.push(fields) })
      makeLie(nodes[position]!, LIES['the resolver is another contract']!)
      const { transaction } = await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
      assert.equal(transaction.to, MAINNET.resolver)
      const named = warnings.flatMap((fields) => (fields as { nodes?: string[] }).nodes ?? [])
      assert.equal(named.includes(`Ethereum node ${position + 1} of 3`), position < 2)
    }
  })

  test('nodes a few blocks apart are compared at the older block, which both know', async () => {
    for (const [first, second] of [
      [0, 1],
      [1, 0],
      [3, 0],
    ] as const) {
      const nodes = [await setup.startRelay(), await setup.startRelay()]
      await makeLag(nodes[0]!, setup.chain, first)
      await makeLag(nodes[1]!, setup.chain, second)
      const ens = await setup.startEns(nodes)
      for (const [endpoint, input] of Object.values(cases())) await ens.ask(endpoint, input)
      // A lie about the older block is detected, too.
      for (const liar of [0, 1]) {
        makeLie(nodes[liar]!, LIES['the resolver is another contract']!)
        const is = `${first} and ${second} blocks behind, node ${liar + 1} lies`
        await assertRejected(ens, cases()['prepare-update']!, DISAGREE, is)
        nodes[liar]!.falsify((_call, result) => result)
      }
    }
  })

  test('a node that lags far behind cannot get an old state accepted', async () => {
    const abi = parseAbi(['function setResolver(bytes32 node, address resolver)'])
    const data = encodeFunctionData({ abi, args: [namehash('taken.eth'), MAINNET.wrappedResolver] })
    await send(setup.chain.rpc, { from: owner, to: MAINNET.registry, data })
    for (let block = 0; block < 5; block++) await setup.chain.mine()
    const nodes = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns(nodes)
    await makeLag(nodes[1]!, setup.chain, 6)
    const preparation = cases()['prepare-update']!
    await assertRejected(ens, preparation, DISAGREE, 'six blocks')
    nodes[1]!.rewrite((call) => call)
    const { transaction } = await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
    assert.equal(transaction.to, MAINNET.wrappedResolver)
  })

  test('an implausible gas estimate is replaced by a typical value', async () => {
    const nodes = [await setup.startRelay(), await setup.startRelay()]
    const ens = await setup.startEns(nodes)
    for (const gas of [0n, 20_999n, 30_000_000n, 10n ** 11n]) {
      nodes[0]!.falsify(({ method }: RpcCall, result) => (method === 'eth_estimateGas' ? numberToHex(gas) : result))
      for (const [what, [endpoint, input]] of Object.entries(cases())) {
        const { transaction } = (await ens.ask(endpoint, input)) as { transaction: Record<string, unknown> }
        const { gas_source, gas_estimate } = transaction
        assert.equal(gas_source, 'constant', `${what} ${gas}`)
        assert.ok(Number(gas_estimate) >= 60_000 && Number(gas_estimate) <= 350_000, `${what} ${gas}`)
      }
    }
  })
})

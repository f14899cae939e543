import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  namehash,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { send } from '../../sandbox/chain/send.ts'
import { type Chain, startChain } from '../../sandbox/chain/start.ts'
import { checkEns, ensMetadata } from '../../src/ens/contract/lookups.ts'
import { ensExpiry, ensRecords, prepareEnsRenewal, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import { prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import type { Log } from '../../src/kernel/log.ts'
import { type Ens, type Relay, type RpcCall, startEns, startRelay, throwAwayFolder, walletOf } from '../support/ens.ts'

const THIEF: Hex = '0x00000000000000000000000000000000DeaDBeef'
const owner = WALLET.address
const clock = manualClock(Date.UTC(2026, 10, 15, 12))
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
const word = (value: bigint | Hex): Hex => numberToHex(BigInt(value), { size: 32 })

type Question = { readonly target: Hex; readonly callData: Hex }
type Result = { readonly success: boolean; readonly returnData: Hex }
type Lie = (question: Question, told: Result) => Result

/** Answers another word, or several, to one function of one contract. */
const lieAbout =
  (contract: Hex, signature: string, change: (told: Hex) => Hex): Lie =>
  ({ target, callData }, told) => {
    const isAsked =
      target.toLowerCase() === contract.toLowerCase() && callData.startsWith(toFunctionSelector(signature))
    return isAsked ? { success: true, returnData: change(told.returnData) } : told
  }
const times = (factor: bigint, share: bigint) => (told: Hex) => {
  const [base, premium] = [BigInt(told.slice(0, 66)), BigInt(`0x${told.slice(66)}`)]
  return `${word((base * factor) / share)}${word((premium * factor) / share).slice(2)}` as Hex
}
const { controller, wrappedController, registry, registrar, nameWrapper, multicall } = MAINNET
const RENT = 'rentPrice(string,uint256)'

const LIES: Readonly<Record<string, Lie>> = {
  'the resolver is a stranger': lieAbout(registry, 'resolver(bytes32)', () => word(THIEF)),
  'there is no resolver': lieAbout(registry, 'resolver(bytes32)', () => word(0n)),
  'the price is a hundredth': lieAbout(controller, RENT, times(1n, 100n)),
  'the price is a hundred times higher': lieAbout(controller, RENT, times(100n, 1n)),
  'the price for wrapped names is higher': lieAbout(wrappedController, RENT, times(100n, 1n)),
  'the name is wrapped': lieAbout(registry, 'owner(bytes32)', () => word(nameWrapper)),
  'the name has another owner': lieAbout(registrar, 'ownerOf(uint256)', () => word(THIEF)),
  'the name was never registered': lieAbout(registrar, 'nameExpires(uint256)', () => word(0n)),
  'the name is taken for long': lieAbout(registrar, 'nameExpires(uint256)', () => word(4_000_000_000n)),
  'the controller was dismissed': lieAbout(registrar, 'controllers(address)', () => word(0n)),
  'commitments need not wait': lieAbout(controller, 'minCommitmentAge()', () => word(0n)),
  'commitments wait for a year': lieAbout(controller, 'minCommitmentAge()', () => word(31_536_000n)),
  'commitments last for ever': lieAbout(controller, 'maxCommitmentAge()', () => word(2n ** 40n)),
  'there is no commitment': lieAbout(controller, 'commitments(bytes32)', () => word(0n)),
  'it is a year later': lieAbout(multicall, 'getCurrentBlockTimestamp()', (told) => word(BigInt(told) + 31_536_000n)),
  'contracts return nothing': (question, told) =>
    question.target.toLowerCase() === multicall.toLowerCase() ? told : { success: true, returnData: '0x' },
}

/** Lets a relay lie about calls inside Multicall3; `told` counts the answers that were changed. */
function liar(relay: Relay, lie: Lie): { told(): number } {
  let told = 0
  relay.falsify(({ method, params }, result) => {
    const [call] = params as [{ to: string; data: Hex }]
    if (method !== 'eth_call' || call.to.toLowerCase() !== multicall.toLowerCase()) return result
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data })
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: result as Hex })
    const changed = results.map((each, at) => lie((args[0] as readonly Question[])[at]!, each))
    const isLie = changed.some(({ returnData, success }, at) => {
      const { returnData: honest, success: isFine } = results[at]!
      return returnData !== honest || success !== isFine
    })
    if (isLie) told += 1
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: changed })
  })
  return { told: () => told }
}

/** Answers about `latest` from a block that was the head some blocks ago, and knows no later one. */
async function lagging(relay: Relay, chain: Chain, blocks: number): Promise<void> {
  const head = Number(await chain.rpc('eth_blockNumber')) - blocks
  relay.rewrite(({ params, ...call }) => {
    const [first, at, ...rest] = params
    assert.ok(at === undefined || at === 'latest' || Number(at) <= head, `it does not know block ${String(at)}`)
    return { ...call, params: at === 'latest' ? [first, numberToHex(head), ...rest] : params }
  })
}

suite('ENS and nodes that lie', () => {
  const running: { stop(): Promise<void> }[] = []
  let folder: ReturnType<typeof throwAwayFolder>
  let chain: Chain
  let snapshot: unknown
  /** A registration whose commitment is old enough. */
  let registration_id: string

  const relayed = async (): Promise<Relay> => {
    const relay = await startRelay(chain.url)
    running.push(relay)
    return relay
  }
  const asking = async (nodes: readonly { url: string }[], log: Log = silent): Promise<Ens> => {
    const ONOMA_ETH_RPC_URLS = nodes.map(({ url }) => url).join(',')
    const ens = await startEns({ settings: { ...folder.settings, ONOMA_ETH_RPC_URLS }, clock, log })
    running.push(ens)
    return ens
  }

  before(async () => {
    folder = throwAwayFolder()
    chain = await startChain({ clock })
    const ens = await asking([chain])
    const prepared = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
    await walletOf(WALLET.privateKey, chain.url).send(prepared.transaction)
    registration_id = prepared.registration_id
    await chain.increaseTime(60)
    // So that it is old enough for a node that is three blocks behind.
    for (let block = 0; block < 3; block++) await chain.mine()
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

  type Row = readonly [endpoint: Endpoint, input: Readonly<Record<string, unknown>>, refused: string]
  const rows = (): Readonly<Record<string, Row>> => ({
    'prepare-commit': [prepareEnsCommit, { name: 'another-one', owner }, '400 prepare_commit_failed'],
    'prepare-register': [prepareEnsRegister, { registration_id }, '500 prepare_register_failed'],
    'prepare-update': [
      prepareEnsUpdate,
      { name: 'taken', owner, text: { url: 'https://new.example' } },
      '400 prepare_update_failed',
    ],
    'renew/prepare': [prepareEnsRenewal, { name: 'taken' }, '400 prepare_renew_failed'],
    'renew/prepare of a wrapped name': [prepareEnsRenewal, { name: 'wrapped' }, '400 prepare_renew_failed'],
  })

  /** An answer without what is drawn by lot. */
  const fixed = (answer: unknown): unknown => {
    const { registration_id: _, secret: __, commitment: ___, transaction, ...rest } = answer as Record<string, unknown>
    const { to, value, gas_source } = transaction as Record<string, unknown>
    return { ...rest, to, value, gas_source }
  }

  const refusedFor = async (ens: Ens, [endpoint, input, refused]: Row, says: RegExp, what: string) => {
    const { status, error, message } = await ens.refusal(endpoint, input)
    assert.equal(`${status} ${error}`, refused, what)
    assert.match(message, says, what)
  }
  const DISAGREE = /^The Ethereum nodes disagree about .*try again in a moment\.$/
  const ALONE = /^Only one of the Ethereum nodes answers, .*try again later\.$/

  test('no lie of one of two nodes comes into a transaction, whichever of them lies', async () => {
    const honest = await asking([await relayed(), await relayed()])
    const truths = new Map<string, unknown>()
    for (const [what, [endpoint, input]] of Object.entries(rows())) {
      truths.set(what, fixed(await honest.ask(endpoint, input)))
    }
    for (const position of [0, 1]) {
      const nodes = [await relayed(), await relayed()]
      const ens = await asking(nodes)
      const refusals = new Map<string, number>()
      for (const [lie, change] of Object.entries(LIES)) {
        const { told } = liar(nodes[position]!, change)
        for (const [what, row] of Object.entries(rows())) {
          const before = told()
          const is = `node ${position + 1} says that ${lie}: ${what}`
          const { status, body } = await ens.send(row[0], row[1])
          if (told() === before) assert.deepEqual(fixed(body), truths.get(what), is)
          else {
            assert.equal(`${status} ${String(body['error'])}`, row[2], is)
            assert.match(String(body['message']), DISAGREE, is)
            refusals.set(lie, (refusals.get(lie) ?? 0) + 1)
          }
        }
      }
      // Every lie was told, so that none was believed for want of a question.
      assert.deepEqual([...refusals.keys()], Object.keys(LIES))
    }
  })

  test('with three nodes two that agree are enough, wherever the liar stands', async () => {
    for (const position of [0, 1, 2]) {
      const nodes = [await relayed(), await relayed(), await relayed()]
      const warnings: unknown[] = []
      const ens = await asking(nodes, { ...silent, warn: (fields) => void warnings.push(fields) })
      liar(nodes[position]!, LIES['the resolver is a stranger']!)
      const { transaction } = await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
      assert.equal(transaction.to, MAINNET.resolver)
      const named = warnings.flatMap((fields) => (fields as { nodes?: string[] }).nodes ?? [])
      assert.equal(named.includes(`Ethereum node ${position + 1} of 3`), position < 2)
    }
  })

  test('nodes a few blocks apart are compared at the older block, and nobody is asked for one it does not know', async () => {
    for (const [first, second] of [
      [0, 1],
      [1, 0],
      [3, 0],
    ] as const) {
      const nodes = [await relayed(), await relayed()]
      await lagging(nodes[0]!, chain, first)
      await lagging(nodes[1]!, chain, second)
      const ens = await asking(nodes)
      for (const [endpoint, input] of Object.values(rows())) await ens.ask(endpoint, input)
      // A lie about the older block is found out as well.
      for (const liarAt of [0, 1]) {
        liar(nodes[liarAt]!, LIES['the resolver is a stranger']!)
        const is = `${first} and ${second} blocks behind, node ${liarAt + 1} lies`
        await refusedFor(ens, rows()['prepare-update']!, DISAGREE, is)
        nodes[liarAt]!.falsify((_call, result) => result)
      }
    }
  })

  test('a node cannot have an old state confirmed by going back far enough', async () => {
    const abi = parseAbi(['function setResolver(bytes32 node, address resolver)'])
    const data = encodeFunctionData({ abi, args: [namehash('taken.eth'), MAINNET.wrappedResolver] })
    await send(chain.rpc, { from: owner, to: registry, data })
    for (let block = 0; block < 5; block++) await chain.mine()
    const nodes = [await relayed(), await relayed()]
    const ens = await asking(nodes)
    await lagging(nodes[1]!, chain, 6)
    const row = rows()['prepare-update']!
    await refusedFor(ens, row, DISAGREE, 'six blocks')
    nodes[1]!.rewrite((call) => call)
    const { transaction } = await ens.ask(prepareEnsUpdate, { name: 'taken', owner, text: { url: '' } })
    assert.equal(transaction.to, MAINNET.wrappedResolver)
  })

  test('while one of two nodes is down nothing is prepared, and everything is read', async () => {
    for (const position of [0, 1]) {
      const nodes = [await relayed(), await relayed()]
      const ens = await asking(nodes)
      nodes[position]!.behave({ kind: 'down' })
      for (const [what, row] of Object.entries(rows())) await refusedFor(ens, row, ALONE, what)
      assert.equal((await ens.ask(checkEns, { name: 'taken', refresh: true })).available, false)
      await ens.ask(ensMetadata, { name: 'taken', refresh: true })
      await ens.ask(ensRecords, { name: 'taken' })
      await ens.ask(ensExpiry, { name: 'taken' })
      // Back again, it is asked at once.
      nodes[position]!.behave({ kind: 'ok' })
      for (const [endpoint, input] of Object.values(rows())) await ens.ask(endpoint, input)
    }
    const all = [await relayed(), await relayed()]
    const ens = await asking(all)
    for (const node of all) node.behave({ kind: 'down' })
    for (const [what, row] of Object.entries(rows())) await refusedFor(ens, row, /Asking again may help\.$/, what)
  })

  test('with three nodes one may be down', async () => {
    for (const position of [0, 1, 2]) {
      const nodes = [await relayed(), await relayed(), await relayed()]
      const ens = await asking(nodes)
      nodes[position]!.behave({ kind: 'down' })
      for (const [endpoint, input] of Object.values(rows())) await ens.ask(endpoint, input)
    }
  })

  test('a single node is believed, which the log says at the start; one URL given twice is a single node', async () => {
    const node = await relayed()
    const lines: string[] = []
    const log: Log = { ...silent, info: (_fields, line) => void lines.push(line) }
    const ens = await asking([node, node], log)
    assert.equal(lines.filter((line) => line.startsWith('ONOMA_ETH_RPC_URLS names one node')).length, 1)
    for (const [endpoint, input] of Object.values(rows())) await ens.ask(endpoint, input)
    const pair: string[] = []
    await asking([node, await relayed()], { ...silent, info: (_fields, line) => void pair.push(line) })
    assert.ok(!pair.some((line) => line.includes('ONOMA_ETH_RPC_URLS')))
  })

  test('two nodes take two round trips too, and one of them tries the transaction out', async () => {
    const [first, second] = [await relayed(), await relayed()]
    const ens = await asking([first, second])
    for (const [what, [endpoint, input]] of Object.entries(rows())) {
      const before = [first.asked.length, second.asked.length]
      await ens.ask(endpoint, input)
      assert.deepEqual([first.asked.length - before[0]!, second.asked.length - before[1]!], [2, 1], what)
    }
  })

  test('an estimate of gas that cannot be is not passed on', async () => {
    const nodes = [await relayed(), await relayed()]
    const ens = await asking(nodes)
    for (const gas of [0n, 20_999n, 30_000_000n, 10n ** 11n]) {
      nodes[0]!.falsify(({ method }: RpcCall, result) => (method === 'eth_estimateGas' ? numberToHex(gas) : result))
      for (const [what, [endpoint, input]] of Object.entries(rows())) {
        const { transaction } = (await ens.ask(endpoint, input)) as { transaction: Record<string, unknown> }
        const { gas_source, gas_estimate } = transaction
        assert.equal(gas_source, 'constant', `${what} ${gas}`)
        assert.ok(Number(gas_estimate) >= 60_000 && Number(gas_estimate) <= 350_000, `${what} ${gas}`)
      }
    }
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeFunctionResult, encodeFunctionData, keccak256, parseAbi, toEventSelector } from 'viem/utils'
import { manualClock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createSimulatedBase } from './base.ts'
import { encodeWord } from './rpc-values.ts'

const USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const BYTES = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const VRS = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const VIEWS = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC } as const

const [payer, payee, settler] = ['11', '22', '33'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
]

function open() {
  const clock = manualClock(Date.UTC(2026, 10, 15))
  const chain = createSimulatedBase({ clock, usdc: USDC, capacity: 40 })
  const now = () => BigInt(Math.floor(clock.now() / 1000))
  const authorize = async (change: object = {}, domain: object = {}) => {
    const message = {
      from: payer.address,
      to: payee.address,
      value: 50_000n,
      validAfter: now() - 600n,
      validBefore: now() + 300n,
      nonce: keccak256(`0x${Math.floor(clock.now()).toString(16).padStart(14, '0')}`),
      ...change,
    }
    const primaryType = 'TransferWithAuthorization'
    const signature = await payer.signTypedData({
      domain: { ...DOMAIN, ...domain },
      types: TYPES,
      primaryType,
      message,
    })
    const { from, to, value, validAfter, validBefore, nonce } = message
    return { message, signature, args: [from, to, value, validAfter, validBefore, nonce] as const }
  }
  type Authorized = Awaited<ReturnType<typeof authorize>>
  const bytesForm = ({ args, signature }: Authorized) => encodeFunctionData({ abi: BYTES, args: [...args, signature] })
  const vrsForm = ({ args, signature }: Authorized) => {
    const [r, s]: [Hex, Hex] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`]
    return encodeFunctionData({ abi: VRS, args: [...args, Number(`0x${signature.slice(130)}`), r, s] })
  }
  const sign = (data: Hex, nonce: number, change: object = {}) =>
    settler.signTransaction({
      type: 'eip1559',
      chainId: 8453,
      to: USDC,
      data,
      nonce,
      gas: 150_000n,
      maxFeePerGas: 10_000_000n,
      maxPriorityFeePerGas: 1_000_000n,
      ...change,
    })
  const send = (raw: Hex) => chain.answer('eth_sendRawTransaction', [raw]) as Promise<Hex>
  const receipt = (hash: Hex) => chain.answer('eth_getTransactionReceipt', [hash]) as Promise<Record<string, unknown>>
  const call = (data: Hex) => chain.answer('eth_call', [{ to: USDC, data }, 'latest']) as Promise<Hex>
  const view = async (
    functionName: (typeof VIEWS)[number]['name'],
    args: readonly [] | readonly [Hex] | readonly [Hex, Hex] = [],
  ) => {
    const data = await call(encodeFunctionData({ abi: VIEWS, functionName, args }))
    return decodeFunctionResult({ abi: VIEWS, functionName, data })
  }
  return { clock, chain, now, authorize, bytesForm, vrsForm, sign, send, receipt, call, view }
}

suite('the simulated dollar of Base', () => {
  test('calls itself what the real one does', async () => {
    const { view } = open()
    assert.equal(await view('name'), 'USD Coin')
    assert.equal(await view('version'), '2')
    assert.equal(await view('decimals'), 6)
    // As the contract on the real chain answers.
    assert.equal(await view('DOMAIN_SEPARATOR'), '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f')
  })

  test('moves money by a signature once, in both forms, and tells of it', async () => {
    const { chain, clock, authorize, bytesForm, vrsForm, sign, send, receipt, view } = open()
    chain.fund(payer.address, 120_000n)
    const forms = [bytesForm, vrsForm]
    for (const [nonce, form] of forms.entries()) {
      const authorized = await authorize()
      const { nonce: name } = authorized.message
      assert.equal(await view('authorizationState', [payer.address, name]), false)
      const hash = await send(await sign(form(authorized), nonce))
      const { status, logs } = await receipt(hash)
      assert.equal(status, '0x1')
      assert.equal(await view('authorizationState', [payer.address, name]), true)
      const topics = (logs as { topics: Hex[]; data: Hex }[]).map((log) => [...log.topics, log.data])
      assert.deepEqual(topics, [
        [toEventSelector('AuthorizationUsed(address,bytes32)'), encodeWord(payer.address), name, '0x'],
        [
          toEventSelector('Transfer(address,address,uint256)'),
          encodeWord(payer.address),
          encodeWord(payee.address),
          encodeWord(50_000n),
        ],
      ])
      const block = BigInt((await chain.answer('eth_blockNumber')) as string)
      const filter = {
        address: USDC,
        topics: [toEventSelector('AuthorizationUsed(address,bytes32)'), encodeWord(payer.address), [name]],
        fromBlock: `0x${(block - 100n).toString(16)}`,
        toBlock: 'latest',
      }
      const found = (await chain.answer('eth_getLogs', [filter])) as { transactionHash: Hex }[]
      assert.deepEqual(
        found.map(({ transactionHash }) => transactionHash),
        [hash],
      )
      clock.advance(2000)
    }
    assert.equal(chain.balanceOf(payee.address), 100_000n)
    assert.equal(await view('balanceOf', [payer.address]), 20_000n)
  })

  test('refuses in the words of the real one', async () => {
    const { chain, now, authorize, bytesForm, call, send, sign } = open()
    chain.fund(payer.address, 60_000n)
    const stranger = await authorize({ from: payee.address })
    const good = await authorize()
    const rows: [Hex, RegExp][] = [
      [bytesForm(await authorize({ validAfter: now() })), /not yet valid/],
      [bytesForm(await authorize({ validBefore: now() })), /is expired/],
      [bytesForm(await authorize({ value: 60_001n })), /exceeds balance/],
      [bytesForm(await authorize({ to: `0x${'0'.repeat(40)}` })), /zero address/],
      [bytesForm(await authorize({}, { chainId: 1 })), /invalid signature$/],
      [bytesForm(stranger), /invalid signature$/],
      [bytesForm({ ...good, signature: `${good.signature}00` }), /signature length/],
      [bytesForm({ ...good, signature: `${good.signature.slice(0, -2) as Hex}05` }), /'v' value/],
      ['0xdeadbeef', /reverted/],
    ]
    for (const [data, message] of rows) await assert.rejects(call(data), { code: 3, message })
    await send(await sign(bytesForm(good), 0))
    await assert.rejects(call(bytesForm(good)), { code: 3, message: /used or canceled/ })
    await assert.rejects(chain.answer('eth_estimateGas', [{ to: USDC, data: bytesForm(good) }]), { code: 3 })
  })

  test('never makes or loses money, and uses a nonce once, however often and in parallel it is sent', async () => {
    const { chain, authorize, bytesForm, sign, send } = open()
    chain.fund(payer.address, 200_000n)
    const name = fc.nat(5).map((index) => keccak256(`0x0${index}`))
    let nonce = 0
    await fc.assert(
      fc.asyncProperty(name, fc.bigInt(0n, 60_000n), async (authorization, value) => {
        const before = chain.balanceOf(payee.address)
        const data = bytesForm(await authorize({ nonce: authorization, value }))
        const raws = await Promise.all([0, 1, 2].map((at) => sign(data, nonce + at)))
        nonce += raws.length
        await Promise.all(raws.map(send))
        const moved = chain.balanceOf(payee.address) - before
        assert.ok(moved === 0n || moved === value, `${moved}`)
        assert.equal(chain.balanceOf(payee.address) + chain.balanceOf(payer.address), chain.supply())
      }),
      { numRuns: 40 },
    )
  })
})

suite('the simulated Base', () => {
  test('takes transactions in the order of their nonces, in whatever order they come', async () => {
    const { chain, sign, send, receipt } = open()
    const raws = await Promise.all(Array.from({ length: 50 }, (_, nonce) => sign('0x', nonce, { to: payee.address })))
    const hashes = await Promise.all(raws.toReversed().map(send))
    assert.equal(await chain.answer('eth_getTransactionCount', [settler.address, 'pending']), '0x32')
    const [last, first] = await Promise.all([receipt(hashes[0]!), receipt(hashes.at(-11)!)])
    assert.ok(BigInt(last['blockNumber'] as string) > BigInt(first['blockNumber'] as string))
    assert.equal(await receipt(hashes.at(-1)!), null, 'only the last forty are remembered')
  })

  test('refuses as nodes do: nonces, fees, purses, chains', async () => {
    const { chain, sign, send } = open()
    const raw = await sign('0x', 0)
    await send(raw)
    await assert.rejects(send(raw), { code: -32_000, message: 'already known' })
    await assert.rejects(send(await sign('0x01', 0)), { message: /nonce too low: next nonce 1, tx nonce 0/ })
    await send(await sign('0x', 5))
    await assert.rejects(send(await sign('0x01', 5)), { message: /replacement transaction underpriced/ })
    await assert.rejects(send(await sign('0x', 1, { chainId: 1 })), { message: /invalid chain id/ })
    await assert.rejects(send(await sign('0x', 1, { gas: 20_000n })), { message: /intrinsic gas too low/ })
    chain.setBaseFee(11_000_000n)
    await assert.rejects(send(await sign('0x', 1)), { message: /less than block base fee/ })
    chain.setBaseFee(5_000_000n)
    chain.setEther(settler.address, 1n)
    await assert.rejects(send(await sign('0x', 1)), { message: /insufficient funds/ })
    await assert.rejects(send('0x02c0'), { message: /cannot be read/ })
  })

  test('mines what fails, and takes the gas for it', async () => {
    const { chain, authorize, bytesForm, sign, send, receipt } = open()
    const data = bytesForm(await authorize())
    const poor = await receipt(await send(await sign(data, 0)))
    assert.deepEqual([poor['status'], poor['logs']], ['0x0', []])
    chain.fund(payer.address, 50_000n)
    const short = await receipt(await send(await sign(data, 1, { gas: 90_000n })))
    assert.equal(short['status'], '0x0', 'too little gas')
    assert.equal(chain.balanceOf(payer.address), 50_000n)
    const ether = BigInt((await chain.answer('eth_getBalance', [settler.address])) as string)
    assert.ok(ether < 10n ** 18n)
  })

  test('has the block numbers of its time, and shows logs of at most 10,000 blocks', async () => {
    const { chain, clock } = open()
    const before = BigInt((await chain.answer('eth_blockNumber')) as string)
    clock.advance(20_000)
    assert.equal(BigInt((await chain.answer('eth_blockNumber')) as string) - before, 10n)
    const secondOf = async (tag: string) => {
      const block = (await chain.answer('eth_getBlockByNumber', [tag, false])) as { timestamp: Hex }
      return Number(block.timestamp)
    }
    const age = clock.now() / 1000 - (await secondOf('latest'))
    assert.ok(age >= 0 && age < 2)
    assert.equal((await secondOf('latest')) - (await secondOf(`0x${before.toString(16)}`)), 20)
    assert.equal(await chain.answer('eth_getBlockByNumber', [`0x${(before + 11n).toString(16)}`, false]), null)
    await assert.rejects(chain.answer('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }]), {
      message: /10,000/,
    })
  })
})

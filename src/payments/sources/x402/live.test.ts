import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { WALLET } from '../../../../sandbox/chain/accounts.ts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { honest, serveNode } from '../../../protocols/ethereum/node.fixture.ts'
import { rpcFor } from '../../../protocols/ethereum/rpc.fixture.ts'
import { isDevelopmentAddress } from '../development-addresses.ts'
import { checkX402Live } from './live.ts'
import { BASE, BASE_USDC } from './network.ts'
import { CHEAP_ETHER, NEVER_ABORTED, openScheme, PAY_TO } from './x402.fixture.ts'

let chain: BaseChain
before(async () => {
  chain = await startBaseChain()
})
after(() => chain.stop())

type Needs = Parameters<typeof checkX402Live>[0]

suite('real money is taken only when all is well', () => {
  const key = generatePrivateKey()
  const good = async (t: Parameters<typeof openScheme>[0]): Promise<Needs> => {
    const { rpc } = await openScheme(t, chain, { key })
    return {
      network: BASE,
      token: BASE_USDC,
      payTo: PAY_TO,
      rpc,
      rpcUrls: ['https://base.example/key'],
      settlement: { key, gasCap: CHEAP_ETHER },
      signal: NEVER_ABORTED,
    }
  }

  test('with good settings there is nothing to say', async (t) => {
    assert.deepEqual(await checkX402Live(await good(t)), [])
    const settlement = { url: 'https://facilitator.example', facilitator: { supports: async () => true } }
    assert.deepEqual(await checkX402Live({ ...(await good(t)), settlement }), [])
  })

  const facilitator = { supports: async () => true }
  const nobody = { supports: async () => false }
  const down = { supports: () => Promise.reject(new Error('it is down')) }
  const cases: [string, Partial<Needs>, RegExp][] = [
    ['the node is asked in the open', { rpcUrls: ['http://base.example/secret'] }, /must begin with https/],
    ['the node is on this machine', { rpcUrls: ['https://127.0.0.1:8545'] }, /points to this machine/],
    ['the node is called localhost', { rpcUrls: ['https://LOCALHOST:8545'] }, /points to this machine/],
    ['the node is on this machine, in IPv6', { rpcUrls: ['https://[::1]/'] }, /points to this machine/],
    [
      'the node is on this machine, in disguise',
      { rpcUrls: ['https://[::ffff:127.0.0.1]/'] },
      /points to this machine/,
    ],
    ['there is no node', { rpcUrls: [] }, /No JSON-RPC URL/],
    ['the URL is invalid', { rpcUrls: ['secret'] }, /is not a URL; write it like/],
    ['the recipient is the zero address', { payTo: `0x${'0'.repeat(40)}` }, /zero address; set the address/],
    ['everybody could take the money', { payTo: WALLET.address }, /development or burn address.*set one of your own/],
    ['the money is thrown away', { payTo: '0x000000000000000000000000000000000000dEaD' }, /set one of your own/],
    ['the token is paid', { payTo: BASE_USDC.address }, /USDC contract itself/],
    [
      'there is no token',
      { token: { ...BASE_USDC, address: `0x${'22'.repeat(20)}` } },
      /no contract at 0x2222.*set the address/,
    ],
    [
      'the token has another name',
      { token: { ...BASE_USDC, name: 'USDC' } },
      /is not "USDC" version 2.*check the token/,
    ],
    ['the token has another version', { token: { ...BASE_USDC, version: '1' } }, /version 1 on chain 8453/],
    [
      'everybody has the key',
      { settlement: { key: WALLET.privateKey, gasCap: CHEAP_ETHER } },
      /public development key; create a new/,
    ],
    ['the key is not hexadecimal', { settlement: { key: '0xsecret', gasCap: CHEAP_ETHER } }, /not a private key/],
    ['the key is zero', { settlement: { key: `0x${'0'.repeat(64)}`, gasCap: CHEAP_ETHER } }, /not a private key/],
    ['the facilitator is here', { settlement: { url: 'https://localhost', facilitator } }, /facilitator URL points to/],
    ['the facilitator is open', { settlement: { url: 'http://f.example', facilitator } }, /facilitator URL must begin/],
    [
      'the facilitator does not',
      { settlement: { url: 'https://f.example', facilitator: nobody } },
      /does not settle "exact"/,
    ],
    [
      'the facilitator is down',
      { settlement: { url: 'https://f.example', facilitator: down } },
      /cannot be checked: it is down\./,
    ],
  ]
  for (const [what, change, sentence] of cases) {
    test(`not where ${what}`, async (t) => {
      const complaints = await checkX402Live({ ...(await good(t)), ...change })
      assert.equal(complaints.length, 1, complaints.join('\n'))
      assert.match(complaints[0]!, sentence)
      assert.ok(complaints[0]!.endsWith('.') && !complaints[0]!.includes('secret'))
    })
  }

  test('not where the key has no gas: the sentence says whom to send ether to', async (t) => {
    const poor = generatePrivateKey()
    const complaints = await checkX402Live({ ...(await good(t)), settlement: { key: poor, gasCap: CHEAP_ETHER } })
    assert.equal(complaints.length, 1)
    assert.match(complaints[0]!, new RegExp(`0 wei.*send ether on Base to ${privateKeyToAddress(poor)}`))
    assert.ok(!complaints[0]!.includes(poor.slice(2)))
  })

  test('not where the node serves another chain, or none answers', async (t) => {
    const other = await serveNode(
      t,
      honest(({ method }) => ({ result: method === 'eth_chainId' ? '0x14a34' : '0x' })),
    )
    const gone = 'http://127.0.0.1:1/secret'
    for (const [url, sentence] of [
      [other.url, /serves chain 84532; chain 8453 is needed/],
      [gone, /cannot be checked/],
    ] as const) {
      const rpc = rpcFor(t, [url], { chainId: 8453 })
      const complaints = await checkX402Live({ ...(await good(t)), rpc })
      assert.match(complaints.join('\n'), sentence)
      assert.ok(!complaints.join('\n').includes('secret'))
    }
  })
})

test('the accounts that everybody has are all known', () => {
  const words = 'test test test test test test test test test test test junk'
  const all = Array.from({ length: 20 }, (_, addressIndex) => mnemonicToAccount(words, { addressIndex }).address)
  assert.deepEqual(
    all.filter((address) => !isDevelopmentAddress(address)),
    [],
  )
  assert.equal(isDevelopmentAddress(mnemonicToAccount(words, { addressIndex: 20 }).address), false)
})

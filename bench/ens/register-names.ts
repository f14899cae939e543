import { encodeFunctionData, type Hex, namehash, parseAbi, zeroHash } from 'viem'
import { WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import { send } from '../../sandbox/chain/send.ts'
import type { Chain } from '../../sandbox/chain/start.ts'

const CONTROLLER = parseAbi([
  'struct Registration { string label; address owner; uint256 duration; bytes32 secret; address resolver; bytes[] data; uint8 reverseRecord; bytes32 referrer; }',
  'function makeCommitment(Registration registration) pure returns (bytes32)',
  'function commit(bytes32 commitment)',
  'function register(Registration registration) payable',
])
const RESOLVER = parseAbi([
  'function setAddr(bytes32 node, uint256 coinType, bytes a)',
  'function setText(bytes32 node, string key, string value)',
  'function setContenthash(bytes32 node, bytes hash)',
])

const COIN_ETH = 60n
const YEAR_SECONDS = 31_536_000n
const COMMITMENT_AGE_SECONDS = 61
/** More than a year of any of these names costs; the controller refunds the rest. */
const PAYMENT_WEI = 10n ** 17n

/** Names the sandbox itself registers and every contestant can read. One of them is wrapped. */
const SANDBOX_NAMES = ['taken.eth', 'vault.eth', 'wrapped.eth']

/** An unregistered name, for preparing a registration. */
export const FREE_NAME = 'nobody-has-it.eth'

/** Registers names with all records that metadata shows. Returns all names that can be requested. */
export async function registerBenchNames(chain: Chain, count: number): Promise<string[]> {
  const labels = Array.from({ length: count }, (_, index) => `measured-${String(index).padStart(3, '0')}`)
  const { rpc } = chain
  const from = WALLET.address
  const to = MAINNET.controller
  for (const label of labels) {
    const calldata = encodeFunctionData({
      abi: CONTROLLER,
      functionName: 'makeCommitment',
      args: [createRegistration(label)],
    })
    const commitment = (await rpc('eth_call', [{ to, data: calldata }, 'latest'])) as Hex
    await send(rpc, {
      from,
      to,
      data: encodeFunctionData({ abi: CONTROLLER, functionName: 'commit', args: [commitment] }),
    })
  }
  await chain.increaseTime(COMMITMENT_AGE_SECONDS)
  for (const label of labels) {
    const data = encodeFunctionData({ abi: CONTROLLER, functionName: 'register', args: [createRegistration(label)] })
    await send(rpc, { from, to, data, value: PAYMENT_WEI })
  }
  return [...labels.map((label) => `${label}.eth`), ...SANDBOX_NAMES]
}

const createRegistration = (label: string) => ({
  label,
  owner: WALLET.address,
  duration: YEAR_SECONDS,
  secret: zeroHash,
  resolver: MAINNET.resolver,
  data: encodeRecords(label),
  reverseRecord: 0,
  referrer: zeroHash,
})

function encodeRecords(label: string): Hex[] {
  const node = namehash(`${label}.eth`)
  const texts = {
    avatar: `https://${label}.example/pictures/avatar-400x400.png`,
    url: `https://${label}.example`,
    description: `What the owner of ${label}.eth says of it, in a sentence of the usual length.`,
    'com.twitter': label.replace('-', '_'),
    'com.github': label,
    email: `hello@${label}.example`,
  }
  const abi = RESOLVER
  // An IPFS content hash whose digest is the namehash, so that every name has a different one.
  const hash: Hex = `0xe30101701220${node.slice(2)}`
  return [
    encodeFunctionData({ abi, functionName: 'setAddr', args: [node, COIN_ETH, WALLET.address] }),
    encodeFunctionData({ abi, functionName: 'setContenthash', args: [node, hash] }),
    ...Object.entries(texts).map(([key, value]) =>
      encodeFunctionData({ abi, functionName: 'setText', args: [node, key, value] }),
    ),
  ]
}

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
const YEAR = 31_536_000n
const COMMITMENT_AGE = 61
/** More than a year of any of these names costs; the controller gives back what is left. */
const PLENTY = 10n ** 17n

/** Those the sandbox registers by itself that every contestant can read. One of them is wrapped. */
const ALREADY_THERE = ['taken.eth', 'vault.eth', 'wrapped.eth']

/** A name nobody holds, to prepare the registration of. */
export const FREE_NAME = 'nobody-has-it.eth'

/** Registers so many names with all records that metadata shows, and tells all names there are to ask about. */
export async function registerBenchNames(chain: Chain, count: number): Promise<string[]> {
  const labels = Array.from({ length: count }, (_, index) => `measured-${String(index).padStart(3, '0')}`)
  const { rpc } = chain
  const from = WALLET.address
  const to = MAINNET.controller
  for (const label of labels) {
    const question = encodeFunctionData({
      abi: CONTROLLER,
      functionName: 'makeCommitment',
      args: [registrationOf(label)],
    })
    const commitment = (await rpc('eth_call', [{ to, data: question }, 'latest'])) as Hex
    await send(rpc, {
      from,
      to,
      data: encodeFunctionData({ abi: CONTROLLER, functionName: 'commit', args: [commitment] }),
    })
  }
  await chain.increaseTime(COMMITMENT_AGE)
  for (const label of labels) {
    const data = encodeFunctionData({ abi: CONTROLLER, functionName: 'register', args: [registrationOf(label)] })
    await send(rpc, { from, to, data, value: PLENTY })
  }
  return [...labels.map((label) => `${label}.eth`), ...ALREADY_THERE]
}

const registrationOf = (label: string) => ({
  label,
  owner: WALLET.address,
  duration: YEAR,
  secret: zeroHash,
  resolver: MAINNET.resolver,
  data: recordsOf(label),
  reverseRecord: 0,
  referrer: zeroHash,
})

function recordsOf(label: string): Hex[] {
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
  // A content hash of IPFS whose digest is different for every name: the name's own hash.
  const hash: Hex = `0xe30101701220${node.slice(2)}`
  return [
    encodeFunctionData({ abi, functionName: 'setAddr', args: [node, COIN_ETH, WALLET.address] }),
    encodeFunctionData({ abi, functionName: 'setContenthash', args: [node, hash] }),
    ...Object.entries(texts).map(([key, value]) =>
      encodeFunctionData({ abi, functionName: 'setText', args: [node, key, value] }),
    ),
  ]
}

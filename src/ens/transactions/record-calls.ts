/** One call to a resolver in words. */
import { getAddress } from 'viem/utils'
import { resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../chain/chain.ts'
import { COIN_ETH } from './commitment.ts'
import { readContenthash } from '../reading/contenthash.ts'
import { decodeExactly } from './exact.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'

/** `set the text com.github of example.eth to "example"`. A hash that is not the name's is shown as it is. */
export function describeRecordCall(data: Hex, name?: EnsName): string {
  const call = decodeExactly(resolverAbi, data)
  switch (call?.functionName) {
    case 'setAddr': {
      const [node, coinType, address] =
        call.args.length === 3 ? call.args : ([call.args[0], COIN_ETH, call.args[1]] as const)
      const what = coinType === COIN_ETH ? 'the ETH address' : `the address for coin ${coinType}`
      return setOrClear(`${what} of ${whoseNode(node, name)}`, isNothing(address) ? undefined : addressInWords(address))
    }
    case 'setText': {
      const [node, key, value] = call.args
      const what = `the text ${/^[a-z0-9._-]+$/.test(key) ? key : JSON.stringify(key)} of ${whoseNode(node, name)}`
      return setOrClear(what, value === '' ? undefined : JSON.stringify(value))
    }
    case 'setContenthash': {
      const [node, hash] = call.args
      return setOrClear(
        `the content hash of ${whoseNode(node, name)}`,
        hash === '0x' ? undefined : contentInWords(hash),
      )
    }
    default:
      return `call something that is not known here: ${data}`
  }
}

const whoseNode = (node: Hex, name?: EnsName): string =>
  name !== undefined && node.toLowerCase() === nodeOf(name) ? withEth(name) : `the name with the hash ${node}`

const setOrClear = (what: string, value: string | undefined): string =>
  value === undefined ? `clear ${what}` : `set ${what} to ${value}`

const isNothing = (address: Hex): boolean => /^0x0*$/.test(address)
const addressInWords = (address: Hex): string => (address.length === 42 ? getAddress(address) : address)

function contentInWords(hash: Hex): string {
  const content = readContenthash(hash)
  return content.ok ? `${content.protocol}://${content.value} (${hash})` : hash
}

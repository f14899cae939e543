/** Describes one call to a resolver in words. */
import { getAddress } from '../../kernel/ethereum/bytes.ts'
import { resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import { COIN_TYPE_ETH } from '../chain/deployments.ts'
import { decodeContenthash } from '../reading/contenthash.ts'
import { decodeExactly } from './decode-exactly.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { nodeOf } from '../chain/namehash.ts'

/** For example `set the text com.github of example.eth to "example"`. Another name's node is shown as its hash. */
export function describeRecordCall(data: Hex, name?: EnsName): string {
  const call = decodeExactly(resolverAbi, data)
  switch (call?.functionName) {
    case 'setAddr': {
      const [node, coinType, address] =
        call.args.length === 3 ? call.args : ([call.args[0], COIN_TYPE_ETH, call.args[1]] as const)
      const what = coinType === COIN_TYPE_ETH ? 'the ETH address' : `the address for coin ${coinType}`
      return setOrClear(`${what} of ${nodeName(node, name)}`, isZero(address) ? undefined : formatAddress(address))
    }
    case 'setText': {
      const [node, key, value] = call.args
      const what = `the text ${/^[a-z0-9._-]+$/.test(key) ? key : JSON.stringify(key)} of ${nodeName(node, name)}`
      return setOrClear(what, value === '' ? undefined : JSON.stringify(value))
    }
    case 'setContenthash': {
      const [node, hash] = call.args
      return setOrClear(
        `the content hash of ${nodeName(node, name)}`,
        hash === '0x' ? undefined : formatContenthash(hash),
      )
    }
    default:
      return `call a function this service does not know: ${data}`
  }
}

const nodeName = (node: Hex, name?: EnsName): string =>
  name !== undefined && node.toLowerCase() === nodeOf(name) ? withEth(name) : `the name with the hash ${node}`

const setOrClear = (what: string, value: string | undefined): string =>
  value === undefined ? `clear ${what}` : `set ${what} to ${value}`

const isZero = (address: Hex): boolean => /^0x0*$/.test(address)
const formatAddress = (address: Hex): string => (address.length === 42 ? getAddress(address) : address)

function formatContenthash(hash: Hex): string {
  const content = decodeContenthash(hash)
  return content.ok ? `${content.protocol}://${content.value} (${hash})` : hash
}

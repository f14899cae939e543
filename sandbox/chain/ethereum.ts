import type { Simulator, Suggestion } from '../simulator.ts'
import { startChain } from './start.ts'

/** Often enough that nobody waits for a block, seldom enough that a pending transaction can be seen. */
const BLOCK_SECONDS = 2

/** Ethereum as a part of the sandbox: a real node with the contracts of ENS at their addresses on mainnet. */
export const ethereum: Simulator = {
  name: 'ethereum',
  about: 'a chain of its own with ENS on it, a few names, and a wallet full of ether that is worth nothing',
  async start({ clock, wait }) {
    const { url, settings, wallet, stop } = await startChain({ clock, wait, blockSeconds: BLOCK_SECONDS })
    return {
      settings,
      addresses: { 'JSON-RPC': url, wallet: `${wallet.address}, key ${wallet.privateKey}` },
      tryThese: (service) => suggestions(service.url, url),
      stop,
    }
  },
}

const suggestions = (url: string, rpc: string): Suggestion[] => [
  { url: `${url}/v1/ens/check?name=my-own-shop`, status: 200, shows: 'an ENS name that is free, and what it costs' },
  {
    url: `${url}/v1/ens/check?name=premium`,
    status: 200,
    shows: 'a recently expired name: its annual price, and the premium apart',
  },
  { url: `${url}/v1/ens/metadata?name=taken.eth`, status: 200, shows: 'what an ENS name says of itself' },
  { url: `${url}/v1/ens/expiry?name=grace.eth`, status: 200, shows: 'a name that has expired and may be renewed' },
  {
    url: `${url}/v1/ens/premium?name=premium.eth&below_usd=1000`,
    status: 200,
    shows: 'a price that falls by the second',
  },
  {
    command: `npm run example:ens -- my-own-shop --api ${url} --rpc ${rpc}`,
    shows: 'registers it, with the wallet above; takes a good minute, as outside',
  },
]

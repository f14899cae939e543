import type { Simulator, Suggestion } from '../simulator.ts'
import { startChain } from './start.ts'

/** Short enough not to wait for a block, long enough to see a pending transaction. */
const BLOCK_SECONDS = 2

/** Simulates Ethereum: a real node with the contracts of ENS at their mainnet addresses. */
export const ethereum: Simulator = {
  name: 'ethereum',
  about: 'a local chain with ENS, some registered names, and a wallet with worthless ether',
  async start({ clock, wait }) {
    const { url, settings, wallet, stop } = await startChain({ clock, wait, blockSeconds: BLOCK_SECONDS })
    return {
      settings,
      addresses: { 'JSON-RPC': url, wallet: `${wallet.address}, private key ${wallet.privateKey}` },
      tryThese: (service) => suggestions(service.url, url),
      stop,
    }
  },
}

const suggestions = (url: string, rpc: string): Suggestion[] => [
  { url: `${url}/v1/ens/check?name=my-own-shop`, status: 200, shows: 'a free ENS name and its price' },
  {
    url: `${url}/v1/ens/check?name=premium`,
    status: 200,
    shows: 'a recently expired name: its annual price and its premium',
  },
  { url: `${url}/v1/ens/metadata?name=taken.eth`, status: 200, shows: 'owner, resolver and records of an ENS name' },
  { url: `${url}/v1/ens/expiry?name=grace.eth`, status: 200, shows: 'an expired name that can still be renewed' },
  {
    url: `${url}/v1/ens/premium?name=premium.eth&below_usd=1000`,
    status: 200,
    shows: 'a premium that falls every second',
  },
  {
    command: `npm run example:ens -- my-own-shop --api ${url} --rpc ${rpc}`,
    shows: 'registers it with the wallet above; takes over a minute, as on mainnet',
  },
]

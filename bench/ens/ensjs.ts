/** Metadata with ensjs: its three queries in one batch. */
import { addEnsContracts } from '@ensdomains/ensjs'
import { batch, getExpiry, getOwner, getRecords } from '@ensdomains/ensjs/public'
import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'
import { RPC_URL, serve, TEXTS } from './peer-server.ts'

const client = createPublicClient({ chain: addEnsContracts(mainnet), transport: http(RPC_URL) })
const texts = Object.values(TEXTS)

serve(async (name) => {
  const [holder, expiry, found] = await batch(
    client,
    getOwner.batch({ name }),
    getExpiry.batch({ name }),
    getRecords.batch({ name, texts, coins: ['ETH'], contentHash: true }),
  )
  const owner = holder?.registrant ?? holder?.owner
  if (!owner || !expiry || expiry.status === 'expired') return null
  const text = (wanted: string) => found.texts.find(({ key }) => key === wanted)?.value ?? ''
  return {
    owner,
    resolver: found.resolverAddress,
    address: found.coins[0]?.value ?? '',
    records: {
      avatar: text(TEXTS.avatar),
      url: text(TEXTS.url),
      description: text(TEXTS.description),
      twitter: text(TEXTS.twitter),
      github: text(TEXTS.github),
      email: text(TEXTS.email),
      contenthash: found.contentHash ? `${found.contentHash.protocolType}://${found.contentHash.decoded}` : '',
    },
  }
})

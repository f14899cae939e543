/** Metadata with viem, tuned: all calls at once, batched into one multicall of any size. */
import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'
import { normalize } from 'viem/ens'
import { RPC_URL, serve, TEXTS } from './peer-server.ts'
import { contenthashOf, expiryOf, isHeld, isWrapper, registryOwnerOf, wrapperOwnerOf } from './viem-calls.ts'

const MAX_BATCH_BYTES = 65_536

const client = createPublicClient({
  chain: mainnet,
  transport: http(RPC_URL),
  batch: { multicall: { batchSize: MAX_BATCH_BYTES } },
})

serve(async (input) => {
  const name = normalize(input)
  const text = async (key: string) => (await client.getEnsText({ name, key })) ?? ''
  const [expires, registered, wrapped, resolver, address, hash, ...texts] = await Promise.all([
    expiryOf(client, name),
    registryOwnerOf(client, name),
    wrapperOwnerOf(client, name),
    client.getEnsResolver({ name }),
    client.getEnsAddress({ name }),
    contenthashOf(client, name),
    text(TEXTS.avatar),
    text(TEXTS.url),
    text(TEXTS.description),
    text(TEXTS.twitter),
    text(TEXTS.github),
    text(TEXTS.email),
  ])
  if (!isHeld(expires)) return null
  const [avatar, url, description, twitter, github, email] = texts
  return {
    owner: isWrapper(registered) ? wrapped : registered,
    resolver,
    address: address ?? '',
    records: { avatar, url, description, twitter, github, email, contenthash: hash === '0x' ? '' : hash },
  }
})

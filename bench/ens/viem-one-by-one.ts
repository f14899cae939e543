/** Metadata with viem as its documentation shows it: one call after the other. */
import { createPublicClient, http } from 'viem'
import { mainnet } from 'viem/chains'
import { normalize } from 'viem/ens'
import { RPC_URL, serve, TEXTS } from './peer-server.ts'
import { contenthashAt, expiryOf, isHeld, isWrapper, registryOwnerOf, wrapperOwnerOf } from './viem-calls.ts'

const client = createPublicClient({ chain: mainnet, transport: http(RPC_URL) })

serve(async (input) => {
  const name = normalize(input)
  if (!isHeld(await expiryOf(client, name))) return null
  const registered = await registryOwnerOf(client, name)
  const owner = isWrapper(registered) ? await wrapperOwnerOf(client, name) : registered
  const resolver = await client.getEnsResolver({ name })
  const address = (await client.getEnsAddress({ name })) ?? ''
  const text = async (key: string) => (await client.getEnsText({ name, key })) ?? ''
  const records = {
    avatar: await text(TEXTS.avatar),
    url: await text(TEXTS.url),
    description: await text(TEXTS.description),
    twitter: await text(TEXTS.twitter),
    github: await text(TEXTS.github),
    email: await text(TEXTS.email),
  }
  const hash = await contenthashAt(client, resolver, name)
  return { owner, resolver, address, records: { ...records, contenthash: hash === '0x' ? '' : hash } }
})

import type { Mount } from '../http/exchange.ts'

type Address = Omit<Mount, 'handle'>

/** Where the pages are. What shows them is loaded with the first request to one of them. */
export const PAGE_ADDRESSES: readonly Address[] = [
  { name: 'page', methods: ['GET'], path: '/', rate: 'document' },
  { name: 'page of a search', methods: ['GET'], path: '/n', rate: 'document' },
  { name: 'page of a name', methods: ['GET'], path: '/n/{name}', rate: 'own' },
  { name: 'page of a domain', methods: ['GET'], path: '/d/{domain}', rate: 'own' },
  { name: 'page of lists', methods: ['GET', 'POST'], path: '/bulk', rate: 'own' },
  { name: 'page of the status', methods: ['GET'], path: '/status', rate: 'document' },
  { name: 'assets', methods: ['GET'], path: '/assets/{file}', rate: 'document' },
  { name: 'favicon', methods: ['GET'], path: '/favicon.svg', rate: 'document' },
]

/** The pages, loaded once. */
export function lazyPageMounts(load: () => Promise<readonly Mount[]>): Mount[] {
  let loading: Promise<readonly Mount[]> | undefined
  return PAGE_ADDRESSES.map((address) => ({
    ...address,
    async handle(...request) {
      const mounts = await (loading ??= load())
      await mounts.find(({ path }) => path === address.path)!.handle(...request)
    },
  }))
}

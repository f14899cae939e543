import type { AddressInfo } from 'node:net'

/** The settings of all middlewares; the addresses are invented. */
export const OFFER = {
  price: '0.05',
  description: 'Repeat a word, for money that is worth nothing',
  recipient: '0x5f82a5170F885fB2Fd726eb98809001B0337A37a',
  base: { id: 'eip155:8453', chainId: 8453, usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  tempo: { chainId: 4217, usdc: '0x20C000000000000000000000b9537d11c60E8b50' },
  realm: '127.0.0.1',
  secret: 'a secret of the bench, long enough',
} as const

/** As much of a Hono application as is used here. */
export type Middleware = (context: Context, next: () => Promise<void>) => unknown
type Context = { json(value: unknown): unknown }
type App = {
  get(path: string, ...handlers: Middleware[]): void
  use(middleware: Middleware): void
  readonly fetch: unknown
}

/** Not part of our dependencies: the compiler need not find them. */
export const load = async <Exports>(path: string): Promise<Exports> =>
  (await import(new URL(`../../peers/node_modules/${path}`, import.meta.url).href)) as Exports

/**
 * The smallest application with a free and a paid answer, at the addresses and with the body they have at our service:
 * what its middleware adds is all that differs between them.
 */
export async function servePaid(addMiddleware: (app: App, paidPath: string) => Promise<void> | void): Promise<void> {
  const { Hono } = await load<{ Hono: new () => App }>('hono/dist/index.js')
  const { serve } = await load<{ serve(options: object, listening: (info: AddressInfo) => void): void }>(
    '@hono/node-server/dist/index.mjs',
  )
  const value: unknown = JSON.parse(process.env['BENCH_BODY']!)
  const pathOf = (target: string | undefined) => new URL(target!, 'http://127.0.0.1').pathname
  const paidPath = pathOf(process.env['BENCH_PAID'])
  const app = new Hono()
  app.get(pathOf(process.env['BENCH_FREE']), (context) => context.json(value))
  await addMiddleware(app, paidPath)
  app.get(paidPath, (context) => context.json({ said: 'hello' }))
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
  })
}

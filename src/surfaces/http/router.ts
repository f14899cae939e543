import { addRoute, createRouter, findRoute } from 'rou3'
import { pathParameters } from '../../kernel/endpoint.ts'

/** Everything routed at one path, by method. */
export type Address<T> = { readonly byMethod: ReadonlyMap<string, T>; readonly allow: string }

export type Found<T> = { readonly address: Address<T>; readonly parameters: Readonly<Record<string, string>> }

export type Mounted<T> = { readonly method: string; readonly path: string; readonly value: T }

/** Looks a path up. All methods of an address are found together, so that a 405 can list them in Allow. */
export function createFinder<T>(mounted: readonly Mounted<T>[]): (path: string) => Found<T> | undefined {
  const router = createRouter<Address<T>>()
  /** Paths without parameters: found without making the path the key of an object, which V8 would have to look up first. */
  const fixed = new Map<string, Found<T>>()
  for (const [path, here] of Map.groupBy(mounted, ({ path }) => path)) {
    const byMethod = new Map(here.map(({ method, value }) => [method, value]))
    if (byMethod.size < here.length) throw new Error(`Two endpoints share ${here[0]!.method} ${path}`)
    const address = { byMethod, allow: allowOf(byMethod) }
    addRoute(router, '', pattern(path), address)
    if (pathParameters(path).length === 0) fixed.set(path, { address, parameters: NONE })
  }
  return (path) => {
    const known = fixed.get(path)
    if (known) return known
    const match = findRoute(router, '', path)
    return match && { address: match.data, parameters: match.params ?? NONE }
  }
}

const NONE: Readonly<Record<string, string>> = Object.freeze({})

const pattern = (path: string): string =>
  pathParameters(path).reduce((text, name) => text.replace(`{${name}}`, `:${name}`), path)

function allowOf(byMethod: ReadonlyMap<string, unknown>): string {
  const methods = [...byMethod.keys()]
  return [...methods, ...(byMethod.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

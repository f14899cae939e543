import { pathParameters, type Deprecation, type Route } from '../../kernel/endpoint.ts'
import type { Mount, Resource } from './exchange.ts'
import { textFields } from './query.ts'
import { createFinder, type Found, type Mounted } from './router.ts'

export function resources(
  routes: readonly Route[],
  mounts: readonly Mount[],
): (path: string) => Found<Resource> | undefined {
  const all = [...routes.map(mountedAt), ...mounts.flatMap(mountMethods)]
  const taken = new Set(all.map(({ method, path }) => `${method} ${path}`))
  return createFinder([
    ...all,
    ...routes.flatMap(withoutLastParameter).filter(({ method, path }) => !taken.has(`${method} ${path}`)),
  ])
}

const mountMethods = (mount: Mount): Mounted<Resource>[] =>
  mount.methods.map((method) => ({ method, path: mount.path, value: { kind: 'mount', name: mount.name, mount } }))

function mountedAt(route: Route): Mounted<Resource> {
  const { name, method, path, input, limitedAs = 'rate_limit_exceeded', deprecated } = route.endpoint
  const deprecation = deprecated ? deprecationHeaders(deprecated) : []
  return { method, path, value: { kind: 'route', name, route, fields: textFields(input), limitedAs, deprecation } }
}

/** Where the contract has an error code for a missing path parameter (`missing_domain`), the path without it is routed too. */
function withoutLastParameter(route: Route): Mounted<Resource>[] {
  const { path, complaints } = route.endpoint
  const last = pathParameters(path).at(-1)
  if (last === undefined || !path.endsWith(`/{${last}}`) || complaints?.[last]?.missing === undefined) return []
  return [{ ...mountedAt(route), path: path.slice(0, -last.length - 3) }]
}

/** Deprecation (RFC 9745) and the successor's Link. */
export const deprecationHeaders = ({ since, successor }: Deprecation): readonly string[] => [
  'Deprecation',
  `@${Date.parse(since) / 1000}`,
  'Link',
  `<${successor}>; rel="successor-version"`,
]

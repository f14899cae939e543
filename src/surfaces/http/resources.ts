import { pathParameters, type Deprecation, type Route } from '../../kernel/endpoint.ts'
import { textReader } from '../../kernel/input.ts'
import type { Mount, Resource } from './exchange.ts'
import { createFinder, type Found, type Mounted } from './router.ts'

export function resources(
  routes: readonly Route[],
  mounts: readonly Mount[],
): (path: string) => Found<Resource> | undefined {
  return createFinder([...routes.flatMap(mountedAt), ...mounts.flatMap(mountMethods)])
}

const mountMethods = (mount: Mount): Mounted<Resource>[] =>
  mount.methods.map((method) => ({ method, path: mount.path, value: { kind: 'mount', name: mount.name, mount } }))

function mountedAt(route: Route): Mounted<Resource>[] {
  const { endpoint } = route
  const { method, path } = endpoint
  const value: Resource = {
    kind: 'route',
    name: endpoint.name,
    route,
    reader: textReader(endpoint.input),
    limitedAs: endpoint.limitedAs ?? 'rate_limit_exceeded',
    deprecation: endpoint.deprecated ? deprecationHeaders(endpoint.deprecated) : [],
  }
  const last = pathParameters(path).at(-1)
  // The contract has a word for a path that ends before its parameter (`missing_domain`): such a path is an address too.
  const cutShort =
    last !== undefined && path.endsWith(`/{${last}}`) && endpoint.complaints?.[last]?.missing !== undefined
  return [{ method, path, value }, ...(cutShort ? [{ method, path: path.slice(0, -last.length - 3), value }] : [])]
}

/** RFC 9745: since when, and where to go instead. */
export const deprecationHeaders = ({ since, successor }: Deprecation): readonly string[] => [
  'Deprecation',
  `@${Date.parse(since) / 1000}`,
  'Link',
  `<${successor}>; rel="successor-version"`,
]

import type { Json } from './schemas.ts'

type Kind = 'headers' | 'responses' | 'schemas' | 'securitySchemes'

/** Shared parts of the document; only those in use are included. */
export type Components = {
  /** The URL of the API, without a slash at its end. */
  readonly publicUrl: string
  use(kind: Kind, name: string, make: () => Json): { readonly $ref: string }
  /** All parts in use, each kind in alphabetical order. */
  used(): Readonly<Record<Kind, Json>>
}

export function createComponents(publicUrl: string): Components {
  const used: Record<Kind, Map<string, Json>> = {
    headers: new Map(),
    responses: new Map(),
    schemas: new Map(),
    securitySchemes: new Map(),
  }
  return {
    publicUrl,
    use(kind, name, make) {
      const made = make()
      const known = used[kind].get(name)
      if (known && JSON.stringify(known) !== JSON.stringify(made))
        throw new Error(`Two different ${kind} are called ${name}`)
      used[kind].set(name, made)
      return { $ref: `#/components/${kind}/${name}` }
    },
    used: () => ({
      headers: alphabetically([...used.headers]),
      responses: alphabetically([...used.responses]),
      schemas: alphabetically([...used.schemas]),
      securitySchemes: alphabetically([...used.securitySchemes]),
    }),
  }
}

export const alphabetically = (entries: readonly (readonly [string, unknown])[]): Json =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))

import type { Json } from './schemas.ts'

/** Parts of the document that are written once and referred to; only those in use end up in it. */
export type Components = {
  use(kind: 'headers' | 'responses', name: string, make: () => Json): { readonly $ref: string }
  /** All that was used, each kind alphabetically. */
  used(): { readonly headers: Json; readonly responses: Json }
}

export function createComponents(): Components {
  const used = { headers: new Map<string, Json>(), responses: new Map<string, Json>() }
  return {
    use(kind, name, make) {
      if (!used[kind].has(name)) used[kind].set(name, make())
      return { $ref: `#/components/${kind}/${name}` }
    },
    used: () => ({ headers: alphabetically([...used.headers]), responses: alphabetically([...used.responses]) }),
  }
}

export const alphabetically = (entries: readonly (readonly [string, unknown])[]): Json =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))

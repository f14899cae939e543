export type TypedName = { readonly name: string; readonly line: number }
export function parseNames(text: string): { readonly names: readonly TypedName[]; readonly repeats: number }
export function expandNames(
  names: readonly TypedName[],
  tlds: readonly string[],
): { readonly domains: readonly string[]; readonly typed: ReadonlyMap<string, TypedName> }
export function asciiDomain(domain: string): string
export function listProblem(domains: readonly unknown[], names: number): string | undefined

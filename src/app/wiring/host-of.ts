/** Cached: called several times for every name, with a few hundred distinct URLs. */
export function hostOf(base: string): string {
  const known = hosts.get(base)
  if (known !== undefined) return known
  const host = URL.parse(base)?.host ?? ''
  hosts.set(base, host)
  return host
}
const hosts = new Map<string, string>()

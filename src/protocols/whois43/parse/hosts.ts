/** A host name: labels of letters, digits, hyphens and underscores; the last label is not numeric. */
const HOST = /^(?=.{4,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})\.)+(?!\d+$)[\p{L}\p{N}][\p{L}\p{N}-]{1,62}$/u

/** The host names at the start of a value, without IP addresses, counts and remarks. Prose yields no hosts. */
export function parseHosts(value: string): string[] {
  // `example.pt NS ns1.example.net.`: a line of a zone file.
  const record = /\sNS\s+(\S+)/.exec(value)
  const words = (record?.[1] ?? value)
    .split(/[\s,;|()[\]{}<>"']+/)
    .filter((word) => word !== '' && !/^(?:-|\d+[.)]?)$/.test(word))
  const [first, ...rest] = words.map(asHost)
  if (first === undefined) return []
  const others = rest.filter((host) => host !== undefined)
  // Without commas, words after the first host are remarks unless all of them are hosts.
  return /[,;]/.test(value) || others.length === rest.length ? [first, ...others] : [first]
}

/** Placeholders for a host that was not given. */
const NOT_GIVEN = /^not\.(?:defined|set|specified|available|configured)$/

function asHost(word: string): string | undefined {
  const host = word.toLowerCase().replace(/^[-.*]+|[.:]+$/g, '')
  return HOST.test(host) && !NOT_GIVEN.test(host) && !/^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined
}

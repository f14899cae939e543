/**
 * What a web server or a gateway on the port of WHOIS sends; undefined for anything else. Its headers, tags and members
 * have names that a registry uses as keys, so this is asked before anything is read.
 */
export function foreignForm(text: string): string | undefined {
  const start = text.slice(0, 1000).replace(/^[\s\ufeff]+/, '')
  if (/^HTTP\/\d/i.test(start)) return 'an HTTP answer'
  if (/^(?:\[\s*)?\{/.test(start)) return 'JSON'
  return /^<(?:!doctype|html|\?xml)/i.test(start) ? 'a web page' : undefined
}

/**
 * Detects the answer of a web server or gateway on the WHOIS port; undefined for anything else. Runs before parsing,
 * because HTTP headers, tags and JSON members use names that registries use as keys.
 */
export function detectNonWhois(text: string): string | undefined {
  const start = text.slice(0, 1000).replace(/^[\s\ufeff]+/, '')
  if (/^HTTP\/\d/i.test(start)) return 'an HTTP answer'
  if (/^(?:\[\s*)?\{/.test(start)) return 'JSON'
  return /^<(?:!doctype|html|\?xml)/i.test(start) ? 'a web page' : undefined
}

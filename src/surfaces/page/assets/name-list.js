// Lists of names: parsed in the browser and, for pages without a script, on the server.

const MAX_DOMAINS = 10_000
const HEADERS = /^(?:domain|name|host|hostname|url)s?(?: name)?$/i
const MAX_NAME_CHARACTERS = 300

/**
 * The names in pasted text or a CSV file: one a line, in the column with a header such as `domain`, else in the first one.
 * A single line may hold several. A BOM, blank lines and repeats are left out.
 * @param {string} text
 * @returns {{ names: { name: string, line: number }[], repeats: number }}
 */
export function parseNames(text) {
  const rows = parseRows(text.replace(/^\uFEFF/, ''))
  const header = rows[0]?.cells.findIndex((cell) => HEADERS.test(cell)) ?? -1
  const isHeader = header >= 0 && (rows.length > 1 || rows[0].cells.length > 1)
  const body = isHeader ? rows.slice(1) : rows
  const column = isHeader ? header : 0
  const found =
    body.length === 1 && !isHeader
      ? body[0].cells.map((cell) => ({ name: cell, line: body[0].line }))
      : body.map(({ cells, line }) => ({ name: cells[column] ?? '', line }))
  const seen = new Set()
  const names = []
  let repeats = 0
  for (const { name: cell, line } of found) {
    const name = withoutAddress(cell)
    if (name === '') continue
    const key = name.toLowerCase()
    if (seen.has(key)) repeats++
    else {
      seen.add(key)
      names.push({ name: name.slice(0, MAX_NAME_CHARACTERS), line })
    }
  }
  return { names, repeats }
}

/** People paste what is in their address bar. @param {string} text */
const withoutAddress = (text) => text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '')

/**
 * Rows of trimmed cells, split at commas, semicolons or tabs, whichever the first row has. Quotes as in RFC 4180.
 * @param {string} text
 */
function parseRows(text) {
  const [firstLine = ''] = text.split(/[\r\n]/, 1)
  const delimiter = [',', ';', '\t'].find((character) => firstLine.includes(character)) ?? ','
  /** @type {{ line: number, cells: string[] }[]} */
  const rows = []
  let cells = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startLine = 1
  const endRow = () => {
    cells.push(cell.trim())
    if (cells.some((one) => one !== '')) rows.push({ line: startLine, cells })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) line++
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"' && cell.trim() === '') isQuoted = true
    else if (character === delimiter) {
      cells.push(cell.trim())
      cell = ''
    } else if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) {
      endRow()
      startLine = line
    } else cell += character
  }
  endRow()
  return rows
}

/**
 * The domains to check: a name without a TLD stands for one domain under each of `tlds`. `typed` has what each domain
 * was made from, by the domain as the service writes it.
 * @param {{ name: string, line: number }[]} names
 * @param {readonly string[]} tlds
 */
export function expandNames(names, tlds) {
  /** @type {Map<string, { name: string, line: number }>} */
  const typed = new Map()
  for (const { name, line } of names)
    for (const domain of name.includes('.') ? [name] : tlds.map((tld) => `${name}.${tld}`))
      if (!typed.has(asciiDomain(domain))) typed.set(asciiDomain(domain), { name: domain, line })
  return { domains: [...typed.keys()], typed }
}

/** The domain as the DNS writes it, in lower-case ASCII; text that is no domain stays as it is. @param {string} domain */
export function asciiDomain(domain) {
  const isAscii = !/[^\0-\x7F]/.test(domain)
  const ascii = isAscii || /[/?#@:\s]/.test(domain) ? domain.toLowerCase() : URL.parse(`http://${domain}`)?.hostname
  return (ascii || domain).replace(/\.$/, '')
}

/** Why a list cannot be checked; undefined if it can. @param {readonly unknown[]} domains @param {number} names */
export function listProblem(domains, names) {
  if (names === 0) return 'The list is empty: paste names or domains, one a line.'
  if (domains.length <= MAX_DOMAINS) return undefined
  const made = domains.length === names ? '' : ` (${names.toLocaleString('en')} names under several TLDs)`
  return `These are ${domains.length.toLocaleString('en')} domains${made}; at most ${MAX_DOMAINS.toLocaleString('en')} can be checked at once.`
}

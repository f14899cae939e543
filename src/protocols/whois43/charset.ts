/** Encodings by TLD, for registries that send neither UTF-8 nor Western European text. */
const BY_TLD: ReadonlyMap<string, string> = new Map([
  ...['by', 'kz', 'ru', 'su', 'tj', 'uz', 'xn--p1ai'].map((tld) => [tld, 'koi8-r'] as const),
  ['ua', 'koi8-u'],
  ...['ba', 'cz', 'hr', 'hu', 'me', 'pl', 'ro', 'rs', 'si', 'sk'].map((tld) => [tld, 'windows-1250'] as const),
  ['bg', 'windows-1251'],
  ['gr', 'windows-1253'],
  ['tr', 'windows-1254'],
  ['il', 'windows-1255'],
  ...['ee', 'lt', 'lv'].map((tld) => [tld, 'windows-1257'] as const),
  ...['ae', 'eg', 'jo', 'sa', 'sy'].map((tld) => [tld, 'windows-1256'] as const),
  ['th', 'windows-874'],
  ['cn', 'gb18030'],
  ...['hk', 'mo', 'tw'].map((tld) => [tld, 'big5'] as const),
  ['jp', 'euc-jp'],
  ['kr', 'euc-kr'],
])

const FALLBACK = 'windows-1252'

/** Decodes an answer and returns the charset used. Invalid bytes become U+FFFD. */
export function decodeAnswer(bytes: Uint8Array, tld: string): { readonly text: string; readonly charset: string } {
  const charset = charsetOf(bytes, tld)
  return { text: new TextDecoder(charset).decode(bytes), charset }
}

function charsetOf(bytes: Uint8Array, tld: string): string {
  // Check ISO-2022-JP escape sequences first: they are also valid UTF-8.
  if (hasJapaneseEscape(bytes)) return 'iso-2022-jp'
  if (isUtf8(bytes)) return 'utf-8'
  return declaredCharset(bytes) ?? BY_TLD.get(tld) ?? FALLBACK
}

function hasJapaneseEscape(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    const next = bytes[at + 1]
    const last = bytes[at + 2]
    if (next === 0x24 && (last === 0x40 || last === 0x42)) return true
    if (next === 0x28 && (last === 0x49 || last === 0x4a)) return true
  }
  return false
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The charset an answer declares, such as `encoding: iso-8859-2` or `printed in ISO-8859-1`. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes)
  const named = /\b(iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|euc-(?:jp|kr)|gb(?:2312|k|18030)|big5|shift_jis)\b/i.exec(
    text,
  )
  return named?.[1]?.toLowerCase()
}

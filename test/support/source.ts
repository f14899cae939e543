/** One import of a file: static, dynamic, re-export or type. `specifier` is null if it is computed at run time. */
export type Import = { readonly specifier: string | null; readonly typeOnly: boolean }

export type Source = {
  /** The text with comments and the insides of strings, templates and regular expressions blanked, length kept. */
  readonly code: string
  /** The contents of strings and templates, piece by piece. */
  readonly strings: readonly string[]
  readonly imports: readonly Import[]
}

/** A tokenizer for just enough TypeScript to find imports and identifiers, without a compiler. */
export function readSource(text: string): Source {
  const strings: string[] = []
  const code = blank(text, strings)
  const imports: Import[] = []
  const add = (pattern: RegExp) => {
    for (const match of code.matchAll(pattern)) {
      const { type, quote } = match.groups ?? {}
      const start = match.index + match[0].length
      const specifier = quote ? text.slice(start, code.indexOf(quote, start)) : null
      imports.push({ specifier, typeOnly: Boolean(type) })
    }
  }
  add(/(?<![.\w])(?:import|export)\b(?<type>\s+type\b)?[\w\s{},*$]*?\bfrom\s*(?<quote>['"])/g)
  add(/(?<![.\w])import\s*(?<quote>['"])/g)
  add(/(?<![.\w])import\s*\(\s*(?<quote>['"])?/g)
  return { code, strings, imports }
}

const PLAIN = /[^'"`/{}]+/y
const COMMENT = /\/\/.*|\/\*[^]*?\*\//y
const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y
const TEMPLATE_PART = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
/** After one of these a slash begins a regular expression; after anything else it divides. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};~+*%^<>-]|\b(?:return|typeof|case|in|of|void|delete|await|throw|yield))\s*$/

function blank(text: string, strings: string[]): string {
  let out = ''
  /** For each open template, the number of open braces in its current `${…}`. */
  const templates: number[] = []
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = out.length
    return pattern.exec(text)?.[0] ?? ''
  }
  const hide = (part: string) => part.replaceAll(/[^\n]/g, ' ')
  const hideInside = (part: string) => part[0] + hide(part.slice(1, -1)) + part.at(-1)
  const templatePart = () => {
    const part = take(TEMPLATE_PART)
    strings.push(part)
    if (part.endsWith('${')) templates.push(0)
    out += part.endsWith('${') ? `${hide(part.slice(0, -2))}\${` : hideInside(` ${part}`).slice(1)
  }
  for (;;) {
    out += take(PLAIN)
    if (out.length === text.length) break
    const char = text[out.length]!
    const comment = take(COMMENT)
    const string = take(STRING)
    const depth = templates.at(-1)
    if (comment) out += hide(comment)
    else if (string) {
      strings.push(string.slice(1, -1))
      out += hideInside(string)
    } else if (char === '`') {
      out += char
      templatePart()
    } else if (char === '}' && depth === 0) {
      out += char
      templates.pop()
      templatePart()
    } else if (char === '/' && BEFORE_EXPRESSION.test(out.slice(-20))) {
      out += hide(take(REGULAR_EXPRESSION)) || char
    } else {
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1
      out += char
    }
  }
  return out
}

/** Markup that is safe to send: everything put into it was escaped, or was markup itself. */
export type Html = { readonly text: string }

type Value = Html | string | number | null | undefined | false | readonly Value[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

function format(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return 'text' in value ? value.text : value.map(format).join('')
  return escape(String(value))
}

/** Template tag: escapes every value that is not markup itself. Lists are joined; null, undefined and false are left out. */
export const markup = (texts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  text: texts.reduce((sum, text, at) => sum + format(values[at - 1]) + text),
})

/** For markup that is a constant of this program. */
export const constant = (text: string): Html => ({ text })

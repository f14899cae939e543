import { EPP_STATUSES } from '../../../kernel/registration.ts'

const BY_LETTERS: ReadonlyMap<string, string> = new Map([
  ...EPP_STATUSES.map((word): [string, string] => [letters(word), word]),
  ['active', 'ok'],
])

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The statuses in one line: EPP names if known, else the registry's own without explanations. */
export function parseStatuses(line: string): string[] {
  const said = line
    .replace(/\(?https?:\/\/.*$/i, ' ')
    .replace(/\s+--\s.*$/, '')
    .trim()
  const whole = BY_LETTERS.get(letters(said))
  if (whole !== undefined) return [whole]
  // `ok (paid and in zone)`, `Connected (2019/11/30)`, `ok - Normal state.`
  const plain = said.replace(/\s*\([^()]*\)\s*$/, '').trim()
  const known = BY_LETTERS.get(letters(plain)) ?? BY_LETTERS.get(letters(/^(\S+) - /.exec(plain)?.[1] ?? ''))
  if (known !== undefined) return [known]
  const several = plain.split(/\s*[,;|]\s*|\s+\/\s+/)
  if (several.length > 1) return several.flatMap((one) => parseStatuses(one))
  const words = plain.split(/\s+/)
  // Several statuses separated by spaces: only if all of them are EPP statuses.
  const each = words.map((word) => BY_LETTERS.get(letters(word)))
  if (words.length > 1 && each.every((word) => word !== undefined)) return each.filter((word) => word !== undefined)
  return plain === '' || /^[\W_]+$/.test(plain) ? [] : [plain]
}

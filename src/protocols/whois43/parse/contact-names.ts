import { REDACTIONS, REDACTION_STARTS, ORGANISATION_WORDS } from './contact-vocabulary.ts'

/** Whether the value is a placeholder: redacted, hidden, not published, not applicable. */
export function isWithheld(value: string): boolean {
  const said = value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (said === '') return true
  if (REDACTIONS.has(said)) return true
  return REDACTION_STARTS.some((start) => said.startsWith(start))
}

/** A name without a trailing handle in brackets or an email address; undefined if withheld. */
export function readName(line: string): string | undefined {
  const name = line
    .replace(/\s*<?[^\s<>@]{1,64}@[^\s<>@]{1,190}>?/g, ' ')
    .replace(/\s*[([](?=[^()[\]]*[\d.])[A-Z\d][\w.-]{2,60}[)\]]\s*$/i, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s,;]+$/, '')
    .trim()
  return name === '' || isWithheld(name) || !/\p{L}/u.test(name) ? undefined : name
}

/** Whether an unlabelled name is evidently that of an organization, not of a person. */
export function looksLikeOrganisation(name: string): boolean {
  const words = name
    .toLowerCase()
    .replace(/[.'’]/g, '')
    .split(/[^\p{L}\p{N}&]+/u)
  return (
    words.some((word) => ORGANISATION_WORDS.has(word)) ||
    /株式会社|有限公司|有限会社|주식회사|\(주\)|㈜|公司|大学/.test(name)
  )
}

/** A contact handle: one word with digits or hyphens. */
export const looksLikeHandle = (value: string): boolean =>
  /^[\w.-]{2,40}$/.test(value) && /\d|^[A-Z]{2,}-[A-Z]/.test(value) && !/\.\p{L}{2,}$/u.test(value)

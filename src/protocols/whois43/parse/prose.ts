import { domainIn } from './domain-record.ts'
import type { Field } from './keys.ts'

export type ProseFact = { readonly field: Field; readonly value: string; readonly status?: string }

/** `Record created on 04-Jan-2006 and expires on 04-Jan-2016.` yields two facts. */
export function parseProse(text: string): readonly ProseFact[] {
  const halves = /^(record |domain |registration )(.{10,60}?),? and (expires? .{6,40}|last updated .{6,40})$/i.exec(
    text,
  )
  const sentences = halves ? [`${halves[1]}${halves[2]}`, `${halves[1]}${halves[3]}`] : [text]
  return sentences.map(parseSentence).filter((sentence) => sentence !== undefined)
}

/** Parses a fact given in prose: `Record expires on 04-Jan-2016.`, `Domain EXAMPLE.KG (ACTIVE)`. */
function parseSentence(text: string): ProseFact | undefined {
  if (text.length > 120) return undefined
  const told =
    /^(?:the )?(?:(?:domain|record|registration|name)(?: name)? )?(?:was |is |will )?(created|registered|activated|expires?|expired|valid until|paid until|last updated|last modified|last changed|updated|modified) (?:by [^\d.]{2,40} )?(?:on |at |by )?(?=\S*\d)(.{4,60})$/i.exec(
      text,
    )
  if (told) {
    // Without `domain` or `record`, "last updated on" is the database's own date.
    if (/^(?:last|updated|modified)/i.test(text)) return undefined
    return { field: fieldOf(told[1]!.toLowerCase()), value: told[2]! }
  }
  const domain = /^domain(?: name)?\s+(\S+)(?:\s+\(([\w ]{2,30})\))?$/i.exec(text)
  const named = domain ? domainIn(domain[1]!) : undefined
  // "domain names." ends a sentence.
  if (!domain || !named?.includes('.')) return undefined
  return { field: 'domain', value: named, ...(domain[2] !== undefined && { status: domain[2] }) }
}

function fieldOf(verb: string): Field {
  if (/^(?:created|registered|activated)/.test(verb)) return 'created'
  return /updated|modified|changed/.test(verb) ? 'updated' : 'expires'
}

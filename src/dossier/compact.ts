import type { AvailabilityData, Parts } from './lookups.ts'
import type { Part } from './part.ts'
import { type IsLiveMark, summarize } from './sentence.ts'
import type { Subject } from './subject.ts'

/** Keeps the answer below 2 KB, with TLDs of usual length. */
const MAX_LISTED_TLDS = 60
const MAX_MESSAGE_CHARACTERS = 60

/** A dossier in at most 2 KB, for agents that pay for every word they read. */
export function formatCompact(subject: Subject, parts: Parts, isLiveMark: IsLiveMark) {
  const availability = parts.availability?.state === 'known' ? (parts.availability.data as AvailabilityData) : undefined
  const results = availability?.results ?? []
  const available = results.filter((result) => result.available)
  const unknown = results.filter(({ status }) => status[0] === 'unknown')
  return {
    name: subject.label,
    ...(subject.domain !== null && { domain: subject.domain }),
    sentence: summarize(subject, parts, isLiveMark),
    available: available.slice(0, MAX_LISTED_TLDS).map(({ tld }) => tld),
    registered: results.length - available.length - unknown.length,
    unknown: unknown.length,
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, formatPart(part)])),
  }
}

const formatPart = (part: Part): string =>
  part.state === 'unknown' || part.state === 'off'
    ? `${part.state}: ${part.message.slice(0, MAX_MESSAGE_CHARACTERS)}`
    : part.state

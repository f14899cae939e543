import { withoutName } from './refusals.ts'

/** The name itself is premium; "may be premium" and "premium names are" do not match. */
const PREMIUM =
  /(?<!\b(?:not|may be|might be|could be|if|whether|non)[ -](?:an? )?(?:registry )?)\bpremium(?: (?:domain name|domain|name|string|price|pricing|tier|fee|registration))?(?! (?:domains|names|strings)\b)\b/
const HEDGED = /\b(?:may|might|could|if|whether|some|certain|other)\b/
const OFFERED =
  /\b(?:available (?:for (?:purchase|registration|sale)|at|as|to)|(?:is|name|domain) available|can be (?:purchased|registered|bought)|premium (?:price|pricing|fee))\b/
const NEGATED = /\b(?:not|no longer|cannot|can't|unavailable|reserved|withheld|blocked|current owner|holder)\b/

/** Whether the sentences say that the name is premium: `offered` for sale, else `kept`. */
export function saysPremium(sentences: readonly string[], domain: string): 'offered' | 'kept' | undefined {
  const said = sentences
    .flatMap((text) => text.split(/(?<=[.!;])\s+/))
    .map((sentence) => withoutName(sentence.toLowerCase(), domain))
    .filter((sentence) => PREMIUM.test(sentence) && !HEDGED.test(sentence))
  if (said.length === 0) return undefined
  return said.some((sentence) => OFFERED.test(sentence) && !NEGATED.test(sentence)) ? 'offered' : 'kept'
}

import { matchWhole } from './patterns.ts'

const NAME = String.raw`(?:name|domain name|domain|string)`
const SUBJECT = String.raw`(?:(?:the |this |sorry )?(?:requested |queried )?${NAME}? ?@? ?)`
const PREMIUM = String.raw`(?:registry )?premium(?: (?:registry )?${NAME})?(?: @)?`
const PRICE = String.raw`(?:at|for|with) (?:an? |the )?(?:registry )?premium (?:price|pricing|rate|fee|tier)(?: of [\p{L}\p{N}.$€£ ]{1,30})?`
const FROM = String.raw`(?:from|through|via|at|by|with) (?:the |this |any |an? |your |our )?(?:icann )?(?:accredited |participating |authori[sz]ed )?(?:registry|registrars?)(?: of your choice)?`
const USE = String.raw`(?:for|to) (?:be )?(?:purchased?|registration|register(?:ed)?|buy|sale)`
const TAIL = String.raw`(?: ${USE})?(?: ${PRICE})?(?: ${FROM})?`

/** The registry sells the name at a premium price. Offers by the current holder do not match. */
export const PREMIUM_ON_OFFER = matchWhole(String.raw`
  ${SUBJECT}(?:is )?(?:an? )?${PREMIUM}(?: (?:and|that|which|it))?(?: is)?(?: currently| still| now)? available${TAIL}
  ${SUBJECT}(?:is )?(?:an? )?${PREMIUM}(?: (?:and|that|which|it))? (?:can|may) be (?:purchased|registered|bought)(?: ${PRICE})?(?: ${FROM})?
  ${SUBJECT}is (?:currently |still )?available(?: ${USE})? (?:${PRICE}|as an? premium ${NAME})(?: ${FROM})?
  ${SUBJECT}(?:can|may) be (?:purchased|registered|bought)(?: ${FROM})? (?:${PRICE}|as an? premium ${NAME})
`)

/** The name is premium, without saying whether it is for sale. */
export const PREMIUM_KEPT = matchWhole(String.raw`
  ${SUBJECT}(?:is )?(?:an? )?(?:registry )?(?:reserved )?premium(?: (?:name|domain|domain name|string|list))?(?: @)?(?: (?:by|for|and|that|which|from|in|of|at|not|reserved|is|on|held|owned|available).{0,60})?
`)

/** Values of the key `Status`. */
export const PREMIUM_FREE_STATUS = matchWhole(String.raw`
  (?:free|available) premium(?: ${NAME})?
  premium(?: ${NAME})? available(?: for (?:purchase|registration))?
`)
export const PREMIUM_STATUS = matchWhole(String.raw`
  (?:registry )?premium(?: ${NAME})?(?: .{0,60})?
`)

/** Keys whose value says whether the name is premium. */
export const PREMIUM_KEYS: ReadonlySet<string> = new Set([
  'premium',
  'is premium',
  'premium name',
  'premium domain',
  'premium domain name',
  'registry premium',
])
export const isYes = (value: string): boolean => /^(?:yes|y|true|1|premium)$/i.test(value.trim())

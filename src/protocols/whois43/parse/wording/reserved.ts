import { matchWhole } from './patterns.ts'

const WHAT = String.raw`(?:(?:the |this |sorry )?(?:requested )?(?:domain name|domain|name|string|label|object)?(?: name)? ?@? ?(?:(?:that )?you (?:requested|queried|want(?: to (?:register|apply for))?|apply(?: for)?|applied for|are applying for|have (?:requested|queried|applied for)) )?)`

/** Whole lines that mean "not registered and cannot be registered". */
export const RESERVED = matchWhole(
  String.raw`
  // Reserved by the registry. X is a reserved name. This name is registry reserved.
  ${WHAT}(?:is |has been |was )?(?:an? |in |on )?(?:the )?(?:registry |name |domain |cnnic |system )?reserved(?: (?:by|for|domain|names?|list|string|object|from|registry|word|term|and).{0,80})?
  // The domain is not available for registration. Domain not available.
  ${WHAT}is (?:not available|unavailable)(?: or is reserved.{0,40}| for (?:registration|second level registration|purchase|public registration).{0,60}| to be registered.{0,40})
  (?:the )?(?:domain name |domain |name )not available
  not available for (?:second level )?registration.{0,40}
  // Prohibited, blocked, may not be registered.
  ${WHAT}(?:is |has been )?(?:prohibited|forbidden|banned|blocked|restricted|not allowed|not permitted|unassignable|non registrable|unregistrable)(?: (?:by|for|from|and|to|due|string|name|in).{0,100})?
  ${WHAT}(?:can ?not|may not|must not|is not allowed to|is not eligible to) be (?:registered|delegated|allocated).{0,120}
  error for @ this domain cannot be registered.{0,160}
  the registration of this domain is restricted.{0,80}
  object is blocked.{0,60}
  .{0,30}is on the (?:reserved|blocked|banned|restricted) (?:name )?list.{0,40}
  this is a (?:reserved|blocked|restricted|protected) .{0,60}
  this name subscribes to the .{0,60}
  dpml block.{0,80}
  the name is (?:blocked|protected).{0,80}
  ${WHAT}(?:is )?(?:an? )?(?:registry )?(?:platinum|sunrise|collision)(?: (?:name|domain|domain name|string|list))?(?: .{0,60})?
  // Other languages.
  (?:el )?dom[ií]nio (?:@ )?(?:reservado|no disponible|bloqueado|prohibido|indispon[ií]vel)
  (?:le )?(?:nom de )?domaine (?:@ )?(?:réservé|reserve|bloqué|bloque|interdit)
  domain (?:@ )?(?:ist )?(?:reserviert|gesperrt)
  домен (?:@ )?(?:зарезервирован|заблокирован)
  (?:(?:该|此|您(?:所)?(?:查询|申请)的)?域名)?.{0,10}(?:禁止注册|已?被?保留|保留域名|限制(?:注册|性)).{0,20}
  (?:该|此|您(?:所)?(?:查询|申请)的)域名.{0,10}(?:禁止|保留|限制|不(?:能|可|得)(?:在线)?注册).{0,20}
  `,
)

export const RESERVED_STATUS = matchWhole(
  String.raw`
  (?:registry |name |domain )?(?:reserved|blocked|prohibited|forbidden|banned|restricted|not allowed|invalid|unassignable|not assignable|unavailable|withheld|collision|not available for registration|non registrable|excluded)(?: .{0,80})?
  .{0,40}can ?not be registered.{0,40}
  this whois server does not have any records for that zone
  `,
)

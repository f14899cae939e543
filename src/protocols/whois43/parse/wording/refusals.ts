import { matchAnywhere } from './patterns.ts'

/** The server refuses to answer now: rate limit or access control. */
export const RATE_LIMITED = matchAnywhere(String.raw`
  (?:\btoo many|^excessive|due to excessive|because of excessive) (?:simultaneous |concurrent |recent |whois )?(?:requests?|connections?|quer(?:y|ies|ying)|lookups?|sessions?|hits)\b
  \b(?:quota|limits?|ratelimit|rate|allowance|maximum|threshold|queries|requests|lookups)(?: \S+){0,7} (?:exceed(?:s|ed)?|reached|surpassed|depleted|exhausted|overrun)\b
  \b(?:exceeded|exceeds?|reached|exhausted|used up|surpassed)(?: \S+){0,6} (?:quota|limits?|rate|number|maximum|allowance|allotment|queries|requests|lookups|connections)\b
  \b(?:grace period of|still in grace period|in grace period wait)\b
  \bonly \d+ (?:requests?|quer(?:y|ies)|connections?)(?: \S+){0,4} (?:allowed|permitted)\b
  \b(?:ip|address|host|client|access|you|source|network|connection|requests?|quer(?:y|ies))\b(?: \S+){0,5} (?:blocked|blacklisted|black listed|banned|denied|refused|rejected|throttled|temporarily disabled|not authori[sz]ed|unauthori[sz]ed|not allowed|not permitted|locked out)\b
  \b(?:blacklisted|black listed|throttled|ratelimited)$
  ^(?:whois )?rate limit
  ^query rate
  \brequest denied\b
  ^(?:access|permission|connection|query|request) (?:denied|refused|rejected|blocked)
  ^\d* ?(?:connection|access) (?:limit|control)
  \bwait \d+ (?:seconds|minutes|hours|secs?|min|s)\b
  \bplease (?:slow down|wait)\b
  \btry again (?:in|after) \d
  \breplenished in\b
  \btoo (?:fast|quickly|frequent|often)\b
  \binterval is too short\b
  ^you are not (?:authori[sz]ed|allowed|permitted)
  \bunauthori[sz]ed (?:ip|access|client|host|query|request)\b
  \bnot (?:an )?authori[sz]ed (?:ip|client|user|to (?:use|access|query) this)\b
  \bip(?: address)? is not (?:registered|authori[sz]ed|allowed|in)\b
  // Other languages.
  l[ií]mite de consultas
  demasiad[oa]s (?:consultas|conexiones|peticiones)
  (?:consultas?|limite|límite|cuota|quota) (?:excedid|superad|dépassé|depasse|superat)
  excesso de consultas
  número máximo de consultas
  trop de (?:requêtes|requetes|connexions)
  zu viele (?:anfragen|verbindungen|abfragen)
  troppe (?:richieste|interrogazioni|query)
  te veel (?:aanvragen|verzoeken|queries)
  (?:för många|for mange|liian monta) 
  (?:za dużo zapytań|limit zapytań|příliš mnoho|previše upita)
  слишком (?:много|часто)
  превышен|перевищено|лимит запросов
  çok fazla sorgu|limit aşıldı
  조회 횟수|질의 횟수|초과
  (?:查询|查詢).{0,6}(?:过于|超过|频繁|過於|超過|頻繁)|超出.{0,6}(?:限制|次数)
  制限を超え|アクセス制限
`)

/** The server is broken, busy or under maintenance. */
export const BROKEN = matchAnywhere(String.raw`
  \b(?:try|retry|check|come) (?:again|back)(?: \S+){0,3}(?: later| soon| shortly)?$
  \btry again later\b
  \b(?:server|service|system|database|registry|whois)(?: \S+){0,4} (?:busy|overloaded|unavailable|down|not available|not responding|offline|unreachable|out of service|disabled|suspended|under maintenance|in maintenance)\b
  \btemporar(?:y|ily)(?: \S+){0,4} (?:unavailable|error|failure|problem|out|disabled|answered|closed|failed)\b
  \b(?:internal|server|system|database|db|fatal|unexpected|unknown|backend|network|connection|protocol|query|application|processing|lookup|service) (?:error|failure|fault|exception|time ?out)\b
  \bconnection (?:attempt )?(?:failed|reset|timed out|closed|lost)\b
  \b(?:scheduled|planned|under|undergoing|system|server|for) maintenance\b
  \b(?:unable to|failed to|not able to|could not|cannot|can t|couldn t|can not) (?:connect|process|complete|open|handle|execute|perform|reach|contact|access|retrieve|query|get|fetch|resolve|answer|be (?:performed|processed|completed|answered))\b
  \btimed? ?out\b
  ^(?:error|fatal|exception)$
  \b(?:stack ?trace|traceback|exception in|java lang|nullpointer|odbc|ora-\d|sqlstate|mysql|postgres|dbi connect)
  \bno longer (?:available|supported|in service|provided)\b
  // A web server answers on the port of WHOIS.
  ^http/[\d.]+ \d{3}\b
  ^(?:error )?4\d\d (?:not found|page not found|bad request|forbidden|gone)\b
  \b(?:page|file|url|route|resource|path) (?:\S+ ){0,3}(?:was |could |is )?not (?:be )?found\b
  \b(?:bad gateway|gateway time ?-?out|nginx|cloudflare)\b
  \b(?:service|server) (?:has been|was|is) (?:discontinued|retired|shut ?down|turned off|decommissioned|terminated)\b
  \bplease use (?:the )?(?:rdap|web)\b
  // Other languages.
  servicio (?:no disponible|temporalmente)|mantenimiento
  service (?:temporairement )?indisponible|maintenance en cours
  nicht verfügbar|wartungsarbeiten
  servizio non disponibile|manutenzione|manutenção
  технические работы|временно недоступ|ошибка сервера|тимчасово недоступ
  メンテナンス|점검 중|系统(?:繁忙|维护|错误)|系統(?:忙碌|維護|錯誤)
`)

/** The server did not understand the query, or is not responsible for the TLD: neither registered nor available. */
export const NO_ANSWER = matchAnywhere(String.raw`
  \binvalid (?:query|request|domain|input|syntax|search|parameter|argument|command|object|name|characters?|format|option|tld|pattern)\b
  \b(?:syntax|usage|parse|parameter|format|input) error\b
  \b(?:malformed|illegal|unsupported|unrecogni[sz]ed|unknown) (?:query|request|domain name|command|option|tld|object type|zone|syntax|characters?)\b
  \b(?:query|domain|tld|zone|extension|name|@) (?:is |type |name )?(?:not (?:valid|supported|recogni[sz]ed|accepted|served|handled|managed)|invalid|malformed|unsupported|too (?:short|long))\b
  ^usage\b
  \bnot (?:authoritative|responsible) for\b
  \bdoes not (?:serve|support|contain|have any records for that|handle)\b
  \bno whois server\b
  \bnot a (?:valid|known|supported) (?:domain|tld|query|zone|name)\b
  \b(?:wrong|bad) (?:query|domain|tld|request)\b
  \bno such (?:zone|tld|command)\b
  \b(?:zone|tld) not (?:found|served|supported)\b
  // A registrar that does not manage the name: says nothing about the registry.
  \bnot registered here\b
  \b(?:on|in|with|by|at|through) (?:our systems?|us|this registrar|our company|our records)$
  // Other languages.
  (?:dominio|consulta) inv[aá]lid[oa]
  requ[êe]te invalide|nom de domaine invalide
  ungültige|unzulässig
  недопустим|неверный запрос
  網域名稱不合規定|無効な|잘못된
`)

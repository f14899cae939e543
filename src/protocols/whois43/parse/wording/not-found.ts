import { matchWhole } from './patterns.ts'

const WHAT = String.raw`(?:(?:sorry )?(?:but )?(?:the |this |your |above )?(?:requested |queried |specified )?(?:domain name|domain|object|name|record|query|string)?(?: name)? ?@? ?)`
const WHERE = String.raw`(?: (?:in|on|at|from|within|to) (?:the |our |this )?(?:[\p{L}\p{N}.@~&’-]+ ){0,8}(?:database|registry|register|whois|server|zone|sources?|source s|nic|records|krnic))?`
const FOR = String.raw`(?: (?:for|with|about|matching|to match) (?:the |your |this |that )?(?:domain name |domain |query |name )?(?:@|query|request|request criteria|search|domain|name|selected sources?|selected source s)?(?: ascii)?)?`

/** What stands after `The queried object does not exist:`. */
const WHY = String.raw`(?:@|domain not found|not found|no object found|no (?:matching|such) (?:objects?|records?|entries|entry|domains?|data)(?: found)?|no matching|(?:the )?(?:previous )?(?:registration|domain|object)?(?: ?@)? ?(?:has been |was )?purged(?: (?:on )?[\d.:tz/-]{6,25}(?: [\d.:z]{4,12})?)?)`

/** Whole lines that mean "the registry has no such domain". */
export const NOT_FOUND = matchWhole(
  String.raw`
  // No match. No match for X. No matches found for the query.
  no (?:exact )?match(?:es)?(?: found)?(?: @)?${FOR}${WHERE}
  // One server says it twice, the second time without the name.
  no entries found no match(?: for)?(?: @)?
  @ no (?:match|entries found|data found|record|records found)
  // No entries found for the selected source(s). No data was found to match the request criteria. No such domain X.
  (?:there (?:is|are|was|were) )?no (?:such |registered |whois )?(?:matching )?(?:data|information|entry|entries|objects?|records?|domain records|domains?|domain name|results?)(?: was| were| is| has been)? (?:found|exists?|located|registered|matched|matching @ found)(?: @)?${FOR}${WHERE}
  no (?:such|matching) (?:domain|domain name|object|records?|entry|entries|name)(?: (?:for )?@)?${WHERE}
  no (?:entries|records?|data|object) for @
  no (?:entries|found|records)
  (?:there is )?no information (?:available )?(?:about|on|for) (?:the )?(?:domain name |domain )(?:@|consulted)(?: was found)?${WHERE}
  nothing found${FOR}${WHERE}
  0 (?:objects|records|results|matches|entries)(?: found)?
  this query returned 0 objects
  // Not found: X. Domain not found. The domain X was not found in the database. X has not been registered.
  ${WHAT}(?:was |is |has |were |could |can ?)?not (?:be )?(?:been )?(?:yet )?(?:found|registered|registred|existing)(?: yet)?(?: @)?(?: (?:@ )?is available for registration)?${WHERE}
  ${WHAT}(?:does|do|did) not (?:yet )?exists?(?: yet)?(?: ${WHY})?${WHERE}
  ${WHAT}doesn t exist${WHERE}
  object @ not found
  object_not_found
  no_se_encontro_el_objeto/object_not_found
  the requested domain was not found in the registry or registrar(?:’s| s) whois server
  domain unknown
  unknown domain(?: @)?
  // X is free. Domain X is available for registration.
  (?:the )?(?:domain )?(?:name )?@ (?:is |appears to be )?(?:still )?(?:free|available|unregistered|vacant)(?: for (?:registration|purchase))?
  (?:data not found )?(?:this|the) (?:domain|domain name|name) is (?:still )?(?:free|available)(?: for (?:registration|purchase))?
  domain (?:name )?is available(?: for registration)?
  available domain @
  // Sentences of single registries.
  not registered the domain you have requested @ is not a registered @? ?(?:ie )?domain name
  (?:the )?domain (?:@ )?is not a registered (?:[\p{L}.]+ )?domain(?: name)?
  we do not have an entry in our database matching your query
  you queried for @ but this server does not have any data for @
  this domain is not available in our whois database
  (?:invalid query or )?domain name not known in (?:the )?(?:[\p{L}\p{N}.@~-]+ ){1,6}(?:registry|database)
  // Spanish, Portuguese, Italian, French.
  (?:el )?(?:dominio )?@? ?no existe
  (?:el )?dominio (?:@ )?no (?:encontrado|registrado|se encuentra registrado)(?: en [\p{L}. ]{2,40})?
  (?:no se encontró|no se encontro) (?:el )?dominio(?: @)?
  (?:o )?dom[ií]nio (?:@ )?n[aã]o (?:existe|encontrado|registrado)
  dom[ií]nio (?:@ )?(?:libre|disponible|dispon[ií]vel|livre|disponibile|libero|non trovato|non registrato)
  (?:le )?(?:nom de )?domaine (?:@ )?(?:n existe pas|inconnu|non trouvé|non trouve|libre|disponible|non enregistré)
  aucun (?:résultat|resultat|enregistrement|objet)(?: trouvé| trouve)?(?: pour @)?
  // German, Dutch, Nordic, Baltic.
  (?:die )?domain (?:@ )?(?:ist )?(?:nicht gefunden|nicht registriert|nicht vergeben|frei)
  keine? (?:eintrag|einträge|treffer|ergebnisse?)(?: gefunden)?
  (?:domeinnaam )?@ is vrij
  verkkotunnus(?:ta)? (?:@ )?(?:ei löydy|on vapaa)
  domeeninime ei leitud
  dom(?:ænet|änen) (?:@ )?(?:findes|finns) (?:ikke|inte)
  // Slavic, Hungarian, Turkish.
  (?:no match )?nincs tal[aá]lat(?: @)?(?: no match(?: found)?(?: for)?(?: @)?)?
  nie znaleziono(?: domeny)?(?: @)?
  domena (?:@ )?(?:nie istnieje|jest wolna|ni registrirana|nije registrovana|nije registrirana|neexistuje)
  домен (?:@ )?(?:не найден|не зарегистрирован|свободен|не знайдено|не зареєстровано|вільний)
  (?:ничего|записей|объект) не найден[оы]?
  alan adı (?:@ )?bulunamadı
  kayıt bulunamadı
  // Asian.
  상기 도메인이름은 등록되어 있지 않습니다
  該当するデータがありません
  没有找到(?:匹配的记录)?
  (?:该|此)域名(?:未注册|可以注册)
  查無資料
  tên miền (?:@ )?chưa được đăng ký
  `,
  // Registries may number their messages; 404 is a web server's status.
  String.raw`(?:error )?(?:(?!4\d\d )\d{1,3} )?`,
)

/** Values of the key `Status` that mean "not found". */
export const FREE_STATUS = matchWhole(
  String.raw`
  (?:220 )?(?:free|available|avail|not registered|unregistered|not found|no object found|no match|not exists?|does not exist)(?: no match for (?:domain )?@)?
  (?:libre|disponible|dispon[ií]vel|vrij|frei|libero|disponibile|wolna|voln[oá]|vapaa|ledig|свободен|вільний|未注册|no existe|no registrado)
  (?:the )?domain (?:is )?not (?:registered|found)
  @ is (?:free|available)
  domain is available(?: for registration)?
  `,
)

/**
 * The words parked pages are made of, by language. They are parts, not sentences: a rule asks for two of them near each
 * other (“this domain” and “for sale”), so that it knows sentences it has never seen. All are compared without marks on
 * letters and in lower case; a star at the end stands for any ending.
 */
export type Vocabulary = {
  /** The name itself, pointed at: “this domain”. */
  readonly name: readonly string[]
  /** A domain, where it stands right beside `sale`: “domain for sale”. */
  readonly kind: readonly string[]
  readonly sale: readonly string[]
  /** What a buyer is asked to do with the name. */
  readonly buy: readonly string[]
  readonly parked: readonly string[]
  /** Registered somewhere, reserved, new, without a site. */
  readonly registered: readonly string[]
  /** Run out, suspended, waiting for renewal. */
  readonly ended: readonly string[]
  /** Headings over paid links. */
  readonly ads: readonly string[]
}

export const list = (words: string) => words.split('|').map((word) => word.trim())

/** One line a kind keeps a language readable at a glance. */
const vocabulary = (words: Record<keyof Vocabulary, string>): Vocabulary => ({
  name: list(words.name),
  kind: list(words.kind),
  sale: list(words.sale),
  buy: list(words.buy),
  parked: list(words.parked),
  registered: list(words.registered),
  ended: list(words.ended),
  ads: list(words.ads),
})

export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  en: vocabulary({
    name: 'this domain|this domain name|this premium domain|this brandable domain|this great domain|this web address|this web page|this webpage|the domain name|the domain',
    kind: 'domain|domain name|premium domain|web address|brandable domain',
    sale: 'for sale|is available for purchase|may be available for purchase|available for acquisition|is on sale|available to buy|may be purchased|can be purchased|could be yours|can be yours|is up for auction|premium domain|premium domain name',
    buy: 'buy|purchase|acquire|own|get|make an offer|make offer|make a bid|place a bid|lease|rent|secure|inquire about|enquire about|inquire|interested in|bid on|offer for|offer on|request a price|get a price|learn more about',
    parked: 'parked|is parking|parking page',
    registered:
      "registered at|registered with|registered by|registered via|registered through|registered using|registered on behalf|been registered|was registered|just registered|recently registered|newly registered|already registered|is registered|is reserved|has been reserved|not yet connected|not connected to a website|is not connected|has no website|not put up a|not yet put up|not been configured|has not uploaded|not yet uploaded|not published a|does not have a website|points to|isn't connected",
    ended:
      'has expired|expired on|is expired|have expired|recently expired|pending renewal|pending deletion|renewal or deletion|been suspended|is suspended|not been renewed|needs to be renewed|is no longer active|in redemption',
    ads: 'related searches|related search|related links|related topics|sponsored listings|sponsored links|sponsored results|popular searches|popular categories|relevant searches|ads related to',
  }),
  de: vocabulary({
    name: 'diese domain|dieser domain|die domain|der domain|dieser domainname|diesen domainnamen|der domainname|diese internetadresse|diese webadresse',
    kind: 'domain|domainname|internetadresse|premium-domain|premiumdomain',
    sale: 'zum verkauf|zu verkaufen|steht zum kauf|kann gekauft werden|konnen sie kaufen|kauflich|wird verkauft|zum kauf angeboten|ist verkauflich|zu verpachten',
    buy: 'kaufen|erwerben|angebot abgeben|angebot machen|preis anfragen|kaufanfrage|interesse an|interessiert an|mieten|pachten|gebot abgeben|ersteigern',
    parked: 'geparkt|parkt|geparkte',
    registered:
      'registriert|reserviert|konnektiert|freigeschaltet|keine inhalte|kein inhalt|noch keinen inhalt|keine website hinterlegt|nicht mit einer website|noch nicht eingerichtet|nicht aktiv|noch keine webseite|noch keine website',
    ended: 'abgelaufen|gesperrt|gekundigt|nicht verlangert|erloschen',
    ads: 'ahnliche suchbegriffe|ahnliche suchanfragen|verwandte suchanfragen|verwandte suchbegriffe|gesponserte links|gesponserte anzeigen|weitere links|relevante suchen|beliebte kategorien|verwandte links|verwandte themen',
  }),
  fr: vocabulary({
    name: 'ce domaine est|ce domaine a|ce domaine peut|ce domaine internet|ce nom de domaine|le nom de domaine|cette adresse web',
    kind: 'nom de domaine|noms de domaine premium|domaine internet',
    sale: "a vendre|est en vente|mis en vente|peut etre achete|disponible a la vente|a ceder|disponible a l'achat",
    buy: 'acheter|achetez|acquerir|faire une offre|faites une offre|interesse par|interessee par|demander le prix|obtenir ce|louer',
    parked: 'est parque|parque chez|parque par|parque gratuitement|gare gratuitement',
    registered:
      "a ete enregistre|est enregistre|enregistre chez|enregistre aupres|enregistre par|vient d'etre enregistre|deja pris|pas encore configure|n'est pas encore relie|aucun site",
    ended: "a expire|est expire|arrive a expiration|suspendu|n'a pas ete renouvele|est suspendu",
    ads: 'recherches associees|recherches apparentees|recherches connexes|liens sponsorises|liens commerciaux|recherches populaires|sujets associes|annonces sponsorisees',
  }),
  es: vocabulary({
    name: 'este dominio|este nombre de dominio|el dominio|el nombre de dominio|esta direccion web',
    kind: 'dominio|nombre de dominio|dominio premium',
    sale: 'en venta|a la venta|se vende|puede ser suyo|puede comprar|disponible para la compra|esta disponible para comprar',
    buy: 'comprar|compre|compra|adquirir|adquiera|hacer una oferta|haga una oferta|haz una oferta|interesado en|solicitar precio|alquilar|obtener',
    parked: 'aparcado|estacionado|parqueado|en parking',
    registered:
      'ha sido registrado|esta registrado|registrado en|registrado con|registrado por|fue registrado|reservado|aun no tiene|no tiene contenido|no esta configurado|todavia no tiene',
    ended: 'ha caducado|ha expirado|expirado|caducado|vencido|suspendido|no ha sido renovado',
    ads: 'busquedas relacionadas|enlaces patrocinados|anuncios relacionados|enlaces relacionados|busquedas populares|temas relacionados|categorias relacionadas',
  }),
  it: vocabulary({
    name: 'questo dominio|questo nome di dominio|questo nome a dominio|il dominio|il nome di dominio|il nome a dominio',
    kind: 'dominio|nome di dominio|nome a dominio|dominio premium',
    sale: "in vendita|e vendita|puo essere acquistato|e acquistabile|vendesi|disponibile per l'acquisto",
    buy: "acquista|acquistare|compra|comprare|fai un'offerta|fare un'offerta|interessato a|interessati a|richiedi il prezzo|affitta",
    parked: 'parcheggiato',
    registered:
      'e stato registrato|e registrato|registrato presso|registrato da|registrato con|registrato tramite|riservato|non e ancora|nessun sito|non ha ancora',
    ended: 'e scaduto|scaduto|sospeso|non e stato rinnovato|in scadenza',
    ads: 'ricerche correlate|link sponsorizzati|ricerche popolari|risultati sponsorizzati|collegamenti correlati|annunci correlati',
  }),
  nl: vocabulary({
    name: 'dit domein|deze domeinnaam|dit domeinnaam|de domeinnaam|het domein|deze domein',
    kind: 'domeinnaam|domein|domain',
    sale: 'te koop|kan worden gekocht|is verkoopbaar|wordt verkocht|te huur',
    buy: 'kopen|koop|doe een bod|bod uitbrengen|bieden op|interesse in|geinteresseerd in|prijs aanvragen|huren|breng een bod',
    parked: 'geparkeerd|geparkeerde',
    registered:
      'geregistreerd|gereserveerd|vastgelegd|nog geen website|nog niet in gebruik|niet gekoppeld|nog geen inhoud',
    ended: 'verlopen|opgezegd|opgeschort|geblokkeerd|niet verlengd',
    ads: 'gerelateerde zoekopdrachten|gesponsorde links|verwante zoekopdrachten|gerelateerde links|populaire zoekopdrachten|gesponsorde resultaten',
  }),
  pt: vocabulary({
    name: 'este dominio|este nome de dominio|o dominio|esse dominio|o nome de dominio',
    kind: 'dominio|nome de dominio|dominio premium',
    sale: 'a venda|esta a venda|para venda|vende-se|pode ser seu|disponivel para compra|em leilao',
    buy: 'comprar|compre|adquirir|adquira|fazer uma oferta|faca uma oferta|faca uma proposta|interessado em|interessado neste|solicitar preco|alugar',
    parked: 'estacionado|parqueado|em parking',
    registered:
      'foi registrado|foi registado|esta registrado|esta registado|registrado por|registrado no|registado em|reservado|ainda nao possui|nao possui site|nao esta configurado|ainda nao tem',
    ended: 'expirou|expirado|suspenso|vencido|nao foi renovado|congelado',
    ads: 'pesquisas relacionadas|links patrocinados|buscas relacionadas|anuncios relacionados|pesquisas populares|links relacionados',
  }),
  pl: vocabulary({
    name: 'ta domena|tej domeny|te domene|ten adres internetowy|domena ta',
    kind: 'domena|domena internetowa|domeny premium',
    sale: 'na sprzedaz|jest do kupienia|wystawiona na sprzedaz|do sprzedania|jest wystawiona|na gieldzie',
    buy: 'kup|kupic|zloz oferte|zlozyc oferte|zapytaj o cene|zainteresowany|wydzierzaw|licytuj',
    parked: 'zaparkowan*|parkowan*|jest na parkingu|utrzymywana na serwerach',
    registered:
      'zostala zarejestrowana|jest zarejestrowana|zarejestrowana w|jest utrzymywana|zarezerwowana|nie zostala jeszcze|nie jest podpieta|nie zostala skonfigurowana',
    ended: 'wygasla|stracila waznosc|zawieszona|nie zostala przedluzona|nie zostala oplacona|oczekuje na przedluzenie',
    ads: 'powiazane wyszukiwania|podobne wyszukiwania|linki sponsorowane|powiazane tematy|popularne wyszukiwania',
  }),
  ru: vocabulary({
    name: 'этот домен|данный домен|этого домена|это доменное имя|данное доменное имя|этим доменом',
    kind: 'домен|доменное имя|домена|домене',
    sale: 'продается|на продажу|выставлен на продажу|можно купить|доступен для покупки|продаю|на аукционе|выставлен на аукцион|в продаже',
    buy: 'купить|приобрести|предложить цену|сделать предложение|узнать цену|арендовать|заинтересован*|оставить заявку',
    parked: 'припаркован*|парковк*|на парковке|не прилинкован',
    registered:
      'зарегистрирован*|не привязан*|не прикреплен*|не делегирован|не настроен|сайт еще не создан|только что создан|зарезервирован',
    ended: 'истек*|истекает|просрочен|заблокирован|приостановлен|не продлен|срок регистрации|снят с делегирования',
    ads: 'похожие запросы|связанные запросы|рекламные ссылки|спонсорские ссылки|популярные запросы|похожие темы',
  }),
  uk: vocabulary({
    name: "цей домен|це доменне ім'я",
    kind: "домен|доменне ім'я",
    sale: 'продається|на продаж|виставлено на продаж|можна придбати|можна купити',
    buy: 'купити|придбати|запропонувати ціну|зробити пропозицію|орендувати',
    parked: 'припарковано|припаркований|паркування',
    registered: "зареєстровано|зареєстрований|не прив'язаний|не налаштовано|не делеговано",
    ended: 'закінчився|закінчилася|призупинено|заблоковано|не продовжено',
    ads: "схожі запити|пов'язані запити|рекламні посилання",
  }),
  zh: vocabulary({
    name: '该域名|此域名|本域名|这个域名|您正在访问的域名|您访问的域名|您所访问的域名|這個域名|此網域|本網域|該網域|当前域名',
    kind: '域名|网域|網域|网址',
    sale: '出售|转让|轉讓|待售|可以购买|可购买|正在销售|销售中|正在拍卖|诚意转让|可出售|合作或出售|一口价',
    buy: '购买|購買|我要购买|报价|出价|咨询购买|联系购买|提交报价|租用|洽谈',
    parked: '停放|停泊|停靠|暂停解析',
    registered: '已注册|已被注册|注册成功|尚未绑定|未绑定|还没有绑定|尚未建站|未备案|没有绑定网站|已註冊',
    ended: '已过期|过期|已到期|已暂停|暂停使用|未续费|冻结|已過期',
    ads: '相关搜索|相關搜尋|相关链接|赞助商链接|热门搜索|推荐链接|相關連結',
  }),
  ja: vocabulary({
    name: 'このドメイン|当ドメイン|本ドメイン|このドメイン名|こちらのドメイン',
    kind: 'ドメイン|ドメイン名',
    sale: '販売中|売り出し中|販売しています|売却|購入できます|購入可能|お譲りします|譲渡|オークション中|販売されています|売ります',
    buy: '購入する|購入を|オファー|価格を問い合わせ|入札|お問い合わせください|買う',
    parked: 'パーキング|パークされ|駐車',
    registered:
      '取得されています|取得されました|登録されています|登録されました|取得され|登録済み|設定されていません|ウェブサイトが設定|公開されていません',
    ended: '期限切れ|有効期限|期限が切れ|更新されていません|失効|停止されています',
    ads: '関連検索|関連キーワード|スポンサーリンク|関連リンク|スポンサードサーチ|人気の検索',
  }),
  ko: vocabulary({
    name: '이 도메인|본 도메인|해당 도메인|이 도메인 이름',
    kind: '도메인|도메인 네임',
    sale: '판매 중|판매중|판매합니다|판매용|구매할 수 있|구입할 수 있|구매 가능|팝니다|매각|양도',
    buy: '구매하기|구입하기|구매하세요|제안하기|가격 문의|입찰|구매 문의|구매를',
    parked: '파킹|주차',
    registered:
      '등록되었습니다|등록되어 있습니다|등록된 도메인|등록한 도메인|연결되지 않|연결된 사이트가 없|준비되지|등록되었|설정되지',
    ended: '만료|기간이 종료|정지되었습니다|정지된|연장되지',
    ads: '관련 검색|관련 검색어|스폰서 링크|관련 링크|인기 검색어',
  }),
  tr: vocabulary({
    name: 'bu alan adi|bu domain|bu alan adini|bu internet adresi|bu domaini|bu alan adinin',
    kind: 'alan adi|domain|alan adlari',
    sale: 'satilik|satiliktir|satista|satisa cikarilmistir|satista olabilir|satin alinabilir',
    buy: 'satin al|satin almak|teklif ver|teklif verin|teklif yap|ilgileniyorsaniz|kirala|fiyat sor',
    parked: 'park edilmis*|park halinde|park sayfasi',
    registered:
      'tescil edilmis*|kayitlidir|kayit edilmis*|kaydedilmis*|adina kayitli|henuz yayinda degil|henuz bir web sitesi|yonlendirilmemis*|rezerve edilmis*',
    ended: 'suresi dolmus*|suresi doldu|askiya alinmis*|suresi bitmis*|yenilenmemis*',
    ads: 'ilgili aramalar|sponsorlu baglantilar|benzer aramalar|ilgili baglantilar|populer aramalar',
  }),
  sv: vocabulary({
    name: 'den har domanen|denna doman|domanen|detta domannamn|domannamnet',
    kind: 'doman|domannamn|domanen',
    sale: 'till salu|ar till forsaljning|saljes|kan kopas',
    buy: 'kop|kopa|lagg ett bud|ge ett bud|intresserad av|hyra',
    parked: 'parkerad|parkerat',
    registered: 'registrerad|registrerat|reserverad|kopt hos|har ingen hemsida|inte kopplad',
    ended: 'har gatt ut|har lopt ut|avstangd|har upphort',
    ads: 'relaterade sokningar|sponsrade lankar|relaterade lankar',
  }),
  da: vocabulary({
    name: 'dette domaene|dette domaenenavn|domaenet|domaenenavnet|dette domæne|domænet|domenet|dette domenet|domenenavnet',
    kind: 'domaene|domæne|domænenavn|domaenenavn|domene|domenenavn',
    sale: 'til salg|kan kobes|er til salgs|saelges|sælges',
    buy: 'kob|kobe|kjop|afgiv et bud|gi et bud|interesseret i|interessert i',
    parked: 'parkeret|parkert',
    registered: 'registreret|registrert|reserveret|reservert|ingen aktiv hjemmeside|endnu ikke|ingen hjemmeside',
    ended: 'er udlobet|udlobet|har utlopt|er utlopt|utlopt|suspenderet',
    ads: 'relaterede sogninger|sponsorerede links|relaterte sok',
  }),
  cs: vocabulary({
    name: 'tato domena|tuto domenu|teto domeny|tato domena|toto domenove',
    kind: 'domena|domeny|domenu',
    sale: 'na prodej|je k prodeji|k prodeji|prodam|je na predaj|na predaj',
    buy: 'koupit|kupit|nabidnout cenu|poslat nabidku|mam zajem|zajem o',
    parked: 'zaparkovan*|parkovan*',
    registered:
      'je registrovana|byla zaregistrovana|registrovana u|zaregistrovana|je rezervovana|nema zatim|bola zaregistrovana|jeste nema|neni nasmerovana',
    ended: 'vyprsela|expirovala|byla pozastavena|nebyla prodlouzena',
    ads: 'souvisejici vyhledavani|sponzorovane odkazy|souvisejici odkazy|suvisiace vyhladavania',
  }),
  hu: vocabulary({
    name: 'ez a domain|ezt a domaint|a domain|ez a domain nev|a domain nev',
    kind: 'domain|domain nev|domainnev',
    sale: 'elado|megvasarolhato|megveheto|elado domain',
    buy: 'megvasarlas|vasarolja meg|ajanlatot tenni|ajanlatteves|erdekli|ajanlatkeres',
    parked: 'parkol|parkolt|parkoltatott|parkolo',
    registered: 'regisztralva|regisztraltak|regisztralt|lefoglalt|meg nincs|nem tartozik hozza',
    ended: 'lejart|felfuggesztve|felfuggesztett',
    ads: 'kapcsolodo keresesek|szponzoralt linkek|kapcsolodo linkek',
  }),
  ro: vocabulary({
    name: 'acest domeniu|acest nume de domeniu|domeniul|numele de domeniu',
    kind: 'domeniu|nume de domeniu',
    sale: 'de vanzare|este de vanzare|poate fi cumparat|poate fi achizitionat|scos la vanzare',
    buy: 'cumpara|cumparati|fa o oferta|faceti o oferta|interesat de|achizitioneaza',
    parked: 'parcat|este parcat',
    registered: 'a fost inregistrat|este inregistrat|inregistrat la|rezervat|nu are inca',
    ended: 'a expirat|suspendat|nu a fost reinnoit',
    ads: 'cautari similare|cautari asociate|linkuri sponsorizate',
  }),
  fi: vocabulary({
    name: 'tama verkkotunnus|taman verkkotunnuksen|tama domain',
    kind: 'verkkotunnus|domain',
    sale: 'on myynnissa|on myytavana|myydaan|ostettavissa',
    buy: 'osta|tee tarjous|jata tarjous|kiinnostunut',
    parked: 'pysakoity|parkkeerattu|parkissa',
    registered: 'on rekisteroity|rekisteroity|varattu|ei ole viela',
    ended: 'on vanhentunut|on paattynyt|on suljettu',
    ads: 'aiheeseen liittyvat haut|sponsoroidut linkit',
  }),
  el: vocabulary({
    name: 'αυτο το domain|το domain|αυτο το ονομα χωρου|το ονομα χωρου',
    kind: 'domain|ονομα χωρου',
    sale: 'πωλειται|προς πωληση|διαθεσιμο προς πωληση',
    buy: 'αγορα|αγοραστε|καντε προσφορα|υποβαλετε προσφορα|ενδιαφερεστε',
    parked: 'παρκαρισμενο|σταθμευμενο',
    registered: 'εχει κατοχυρωθει|κατοχυρωμενο|καταχωρημενο|δεν εχει ακομα',
    ended: 'εχει ληξει|εληξε|σε αναστολη',
    ads: 'σχετικες αναζητησεις|χορηγουμενοι συνδεσμοι',
  }),
  vi: vocabulary({
    name: 'ten mien nay',
    kind: 'ten mien',
    sale: 'dang duoc ban|dang ban|can ban|duoc rao ban|can chuyen nhuong|chuyen nhuong',
    buy: 'mua|dat mua|tra gia|de nghi gia|quan tam',
    parked: 'dang duoc dau|dang do|parking',
    registered: 'da duoc dang ky|duoc dang ky tai|chua duoc cau hinh|chua co website|chua duoc tro',
    ended: 'da het han|het han|tam ngung|bi tam khoa',
    ads: 'tim kiem lien quan|lien ket tai tro',
  }),
  id: vocabulary({
    name: 'domain ini|nama domain ini',
    kind: 'domain|nama domain',
    sale: 'dijual|untuk dijual|tersedia untuk dibeli|dapat dibeli',
    buy: 'beli|ajukan penawaran|buat penawaran|tertarik dengan|tawar',
    parked: 'diparkir|terparkir',
    registered: 'telah terdaftar|terdaftar di|sudah terdaftar|belum terhubung|belum memiliki situs|telah didaftarkan',
    ended: 'telah kedaluwarsa|sudah kedaluwarsa|ditangguhkan|telah habis masa',
    ads: 'pencarian terkait|tautan bersponsor',
  }),
  ar: vocabulary({
    name: 'هذا النطاق|هذا الدومين|اسم النطاق هذا',
    kind: 'نطاق|دومين|اسم نطاق',
    sale: 'للبيع|معروض للبيع|متاح للشراء',
    buy: 'شراء|اشتر|قدم عرضا|تقديم عرض|مهتم',
    parked: 'محجوز|مركون|موقوف',
    registered: 'تم تسجيل|مسجل لدى|تم حجز|غير مرتبط',
    ended: 'انتهت صلاحية|منتهي الصلاحية|معلق',
    ads: 'عمليات بحث ذات صلة|روابط ممولة',
  }),
}

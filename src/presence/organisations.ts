import { folded, type SoughtName, wordsOf } from './name.ts'

/** Kinds of business in their names: "Blue Lagoon Bank". Collected by us for the larger languages. */
const KINDS: ReadonlySet<string> = new Set(
  wordsOf(
    [
      'hotel motel inn hostel lodge resort spa suites campground restaurant ristorante cafe bistro pub tavern grill grille',
      'steakhouse pizzeria diner eatery catering bakery patisserie brewery brewing distillery winery vineyards cellars',
      'creamery butchers bank savings insurance financial investments ventures accountants advisors consulting consultants',
      'partners holdings group enterprises industries clinic hospital medical dental dentistry orthodontics pharmacy',
      'veterinary physiotherapy chiropractic hospice school academy college university institute kindergarten preschool',
      'church ministries attorneys solicitors lawyers realty realtors builders contracting landscaping farm farms ranch',
      'dairy stables kennels motors automotive dealership garage airlines airways aviation tours cruises charters marina',
      'logistics trucking technologies systems solutions labs laboratories robotics semiconductors telecom studio studios',
      'records publishing agency theatre theater gallery museum cinema casino gym salon barbers barbershop boutique',
      'jewelers jewellers outfitters interiors architects engineering foundation charity society association club zoo',
      'gasthaus gasthof pension brauerei bäckerei konditorei metzgerei weingut apotheke praxis klinik zahnarztpraxis',
      'versicherung versicherungen sparkasse kanzlei immobilien autohaus verlag schule akademie hochschule tischlerei',
      'gärtnerei stiftung verein hôtel auberge brasserie boulangerie pâtisserie boucherie traiteur pharmacie clinique',
      'banque assurances mutuelle immobilier notaires avocats école lycée éditions librairie fromagerie vignoble',
      'hostal posada restaurante cafetería panadería pastelería carnicería bodega bodegas farmacia clínica banco seguros',
      'inmobiliaria abogados colegio escuela editorial librería peluquería fundación albergo agriturismo trattoria osteria',
      'panificio pasticceria cantina banca assicurazioni immobiliare scuola pousada padaria confeitaria farmácia',
      'imobiliária seguradora advogados editora отель гостиница хостел ресторан кафе пекарня банк страхование клиника',
      'стоматология аптека школа академия издательство автосервис турагентство фонд клуб завод фабрика',
      'فندق مطعم مقهى مخبز بنك مصرف عيادة مستشفى صيدلية مدرسة جامعة عقارات للتأمين',
      '호텔 리조트 식당 레스토랑 카페 은행 보험 병원 치과 약국 학교 학원 출판사',
    ].join(' '),
  ),
)
/** Goods and trades. They only count with a matching host: "cold brew coffee" is a drink. */
const TRADES: ReadonlySet<string> = new Set(
  wordsOf(
    [
      'coffee tea kitchen bar foods deli camping villas apartments homes properties estates hotels restaurants schools',
      'banking credit mortgage finance capital wealth accounting advisory law construction roofing plumbing electric',
      'electrical heating cleaning nurseries orchards auto travel yachts marine transport shipping freight energy solar',
      'petroleum mining steel metals chemicals plastics software technology networks hosting media films pictures press',
      'fitness yoga pilates tattoo apparel clothing furniture golf aquarium reisen coiffure',
    ].join(' '),
  ),
)
/** Kinds of business in scripts without spaces between words. */
const UNSPACED_KINDS = new RegExp(
  `^(?:${folded('ホテル 旅館 レストラン 食堂 カフェ 銀行 保険 病院 歯科 薬局 学校 学園 出版 酒店 宾馆 饭店 餐厅 餐馆 咖啡馆 银行 保险 医院 诊所 药房 学院 出版社 โรงแรม รีสอร์ท ร้านอาหาร ธนาคาร คลินิก โรงพยาบาล โรงเรียน').split(' ').join('|')})`,
  'u',
)
/** Words after a name that mean a sentence rather than a longer name. */
const LINKING: ReadonlySet<string> = new Set(
  wordsOf(
    'in at of and or from the a an near for to with is was are on by im am und mit von der die das dans avec et de en con y por para è di da na для в на и',
  ),
)
/** Words allowed before the name. */
const ARTICLES: ReadonlySet<string> = new Set([
  'the',
  'der',
  'die',
  'das',
  'le',
  'la',
  'les',
  'el',
  'los',
  'il',
  'o',
  'a',
])

/** Words after the name that may be its kind: "Blue Lagoon Resort & Spa". */
const MAX_WORDS_BEHIND = 2

/** Shorter names are a prefix of too many words. */
const MIN_HOST_LENGTH = 5

/** Separators between the parts of a title. */
const PARTS = /\s[-–—|·•»«:/]\s|[|·•»:,()[\]（）｜：，【】「」『』_]/u

/**
 * The kind of business with this name by a title or host, or null. In its part of the title the name comes first and its
 * kind follows ("Blue Lagoon Resort & Spa") or precedes it ("Hotel Blue Lagoon"); in the host the kind follows
 * ("bluelagoonbank.com").
 */
export function organisationIn({ joined, spellings }: SoughtName, title: string, label: string): string | null {
  const host = wordsOf(label).join('')
  const start = spellings.find((one) => one.length >= MIN_HOST_LENGTH && host.startsWith(one))
  const isKind = (word: string) => KINDS.has(word) || (start !== undefined && TRADES.has(word))
  for (const part of title.split(PARTS)) {
    const kind = kindIn(joined, wordsOf(part), isKind)
    if (kind !== null) return kind
  }
  const rest = start === undefined ? '' : host.slice(start.length)
  return isKind(rest) ? rest : null
}

function kindIn(joined: string, words: readonly string[], isKind: (word: string) => boolean): string | null {
  const start = ARTICLES.has(words[0] ?? '') ? 1 : 0
  const end = endOf(joined, words, start)
  if (end !== null) {
    const behind = words.slice(end, end + MAX_WORDS_BEHIND)
    const at = behind.findIndex((word) => isKind(word) || LINKING.has(word))
    if (at !== -1 && isKind(behind[at]!)) return behind[at]!
    return UNSPACED_KINDS.exec(words.slice(end).join(''))?.[0] ?? null
  }
  // Not "Hotels near Blue Lagoon", which has a word between.
  const [first = '', ...rest] = words.slice(start)
  return KINDS.has(first) && endOf(joined, rest, 0) !== null ? first : null
}

/** The index after the name if it begins at this word; otherwise null. */
function endOf(joined: string, words: readonly string[], from: number): number | null {
  let run = ''
  for (let at = from; at < words.length && run.length < joined.length; at++) {
    run += words[at]!
    if (run === joined) return at + 1
    if (!joined.startsWith(run)) return null
  }
  return null
}

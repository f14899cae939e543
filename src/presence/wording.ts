import { folded, wordsOf } from './name.ts'

/** Words near a name that show what it refers to. Collected by us, a few for each of the larger languages. */

/** Folded like the texts they are compared with. */
const setOf = (...words: readonly string[]): ReadonlySet<string> => new Set(wordsOf(words.join(' ')))
const anyOf = (...words: readonly string[]): string => folded(words.join(' ')).split(' ').join('|')

/** Words a title adds to a name without changing it. */
const TRIMMINGS = setOf(
  'inc llc ltd limited gmbh ag kg ug corp corporation co company plc sa sas sarl srl spa bv nv oy ab as aps pty pvt',
  'official site website web home homepage page welcome to the app online shop store login reviews review pricing',
  'on google play apple apps steam npm linkedin facebook instagram youtube profile overview',
  'about us contact careers jobs offizielle seite startseite willkommen bei officiel accueil bienvenue bienvenidos chez',
  'sitio oficial inicio sito ufficiale ооо зао оао ао пао тов компания официальный сайт главная',
  'شركة مؤسسة مجموعة الموقع الرسمي الرئيسية 공식 홈페이지 사이트 주식회사',
)
/** Such additions in scripts without spaces. */
const BEFORE = anyOf('株式会社 有限会社 合同会社 บริษัท ร้าน ยินดีต้อนรับสู่ 欢迎来到')
const BEHIND = anyOf(
  '株式会社 有限会社 公式サイト 公式ホームページ 公式 ホームページ จำกัด เว็บไซต์',
  '股份有限公司 有限责任公司 科技有限公司 贸易有限公司 有限公司 公司 集团 官方网站 官网 首页',
)
const JOINED_TRIMMINGS = new RegExp(`^(?:${BEFORE})|(?:${BEHIND})$`, 'gu')

/** Whether a part of the title is the name itself, rather than a sentence with these words. */
export function isHeading(joined: string, title: string): boolean {
  const parts = title.split(/\s[-–—|·•»«:/]\s|[|·•»:,()[\]（）｜：，【】「」『』_]/u)
  return parts.some((part) => {
    const words = wordsOf(part)
    if (words.join('') === joined) return true
    const rest = words.filter((word) => !TRIMMINGS.has(word)).join('')
    return rest === joined || rest.replaceAll(JOINED_TRIMMINGS, '') === joined
  })
}

const COMPANY_WORDS = setOf(
  'inc llc ltd limited gmbh corp corporation plc company headquarters headquartered founded founder employees startup',
  'manufacturer retailer supplier agency firm careers b2b unternehmen hersteller anbieter firma gegründet mitarbeiter',
  'entreprise société fondée siège empresa fundada fabricante azienda fondata holding konzern',
  'ооо зао компания основана производитель фирма شركة مؤسسة تأسست 회사 기업 주식회사 설립',
)
const PRODUCT_WORDS = setOf(
  'app apps download buy price shop software platform pricing plugin package edition game album kaufen preis',
  'herunterladen acheter prix télécharger comprar precio descargar comprare prezzo scarica',
  'купить цена скачать приложение تطبيق تحميل سعر شراء 앱 다운로드 구매 가격',
)
const UNSPACED_COMPANY = new RegExp(
  anyOf('株式会社 有限会社 有限公司 公司成立 企业 企業 创立于 設立 本社 บริษัท ก่อตั้ง'),
  'u',
)
const UNSPACED_PRODUCT = new RegExp(anyOf('アプリ ダウンロード 購入 価格 下载 购买 价格 应用 软件 ดาวน์โหลด ราคา'), 'u')

/** Whether the words indicate a company or a product; null for neither, or if only the name matches. */
export function tradeIn(text: readonly string[], name: readonly string[]): 'company' | 'product' | null {
  const others = text.filter((word) => !name.includes(word))
  const run = text.join('')
  const companies = others.filter((word) => COMPANY_WORDS.has(word)).length + (UNSPACED_COMPANY.test(run) ? 1 : 0)
  const products = others.filter((word) => PRODUCT_WORDS.has(word)).length + (UNSPACED_PRODUCT.test(run) ? 1 : 0)
  if (companies === 0 && products === 0) return null
  return companies >= products ? 'company' : 'product'
}

/** Whether a page only offers its domain for sale. */
export const isForSale = (text: string): boolean =>
  /\bdomain(?: name)?\b.{0,40}\b(?:is|may be) (?:parked|for sale|available)|\bbuy this domain\b|\b[a-z0-9-]+\.[a-z]{2,} is for sale\b|\bdomain steht zum verkauf\b/iu.test(
    text,
  )

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fold, parseStatements, type Statements } from './phrases-match.ts'

const read = (text: string) => parseStatements(fold(text), ['example.com'])

suite('statements about the domain itself are recognized', () => {
  const cases: [keyof Statements, string][] = [
    ['sale', 'This domain is for sale'],
    ['sale', 'Example.com is now for sale!'],
    ['sale', 'The domain name example.com may be for sale'],
    ['sale', 'For sale: EXAMPLE.COM'],
    ['sale', 'Diese Domain steht zum Verkauf'],
    ['sale', 'Ce nom de domaine est à vendre'],
    ['sale', 'Este dominio está en venta'],
    ['sale', 'Il dominio example.com è in vendita'],
    ['sale', 'Deze domeinnaam is te koop'],
    ['sale', 'Este domínio está à venda'],
    ['sale', 'Ta domena jest na sprzedaż'],
    ['sale', 'Этот домен продаётся'],
    ['sale', '该域名正在出售'],
    ['sale', 'このドメインは販売中です'],
    ['sale', '이 도메인은 판매 중입니다'],
    ['sale', 'Bu alan adı satılıktır'],
    ['sale', 'Den här domänen är till salu'],
    ['sale', 'Tato doména je na prodej'],
    ['sale', 'โดเมน example.com มีไว้ขาย'],
    ['sale', 'این دامنه فروشی می‌باشد'],
    ['sale', 'הַדּוֹמֵיין הזה למכירה'],
    ['sale', 'Домейнът example.com се продава'],
    ['sale', 'Ova je domena na prodaju'],
    ['sale', 'Parduodamas domenas example.com'],
    ['sale', 'Pārdodu domēnu example.com'],
    ['sale', 'See domeen on müügis'],
    ['sale', 'यह डोमेन बिकाऊ है।'],
    ['buy', 'برای خرید دامنه example.com تماس بگیرید'],
    ['parked', 'Šis domenas yra priparkuotas'],
    ['registered', 'ชื่อโดเมนนี้จดทะเบียนผ่านเรา'],
    ['registered', 'example.com is registered, but has no site'],
    ['ended', 'Domēna example.com darbības termiņš ir beidzies'],
    ['ended', 'הדומיין example.com פג תוקף'],
    ['buy', 'Inquire about this domain'],
    ['buy', 'Möchten Sie diese Domain kaufen?'],
    ['parked', 'example.com is parked'],
    ['parked', 'Diese Domain ist geparkt'],
    ['registered', 'This domain was recently registered at a registrar'],
    ['ended', 'This domain name has expired'],
    ['ended', 'El dominio example.com ha caducado'],
  ]
  for (const [topic, text] of cases) test(`${topic}: ${text}`, () => assert.equal(read(text)[topic], 'named'))
})

suite('statements about something else are not', () => {
  const cases: [keyof Statements, string][] = [
    ['sale', 'Used cars for sale - example.com'],
    ['sale', 'example.com: for sale and for rent'],
    ['sale', 'This house is for sale'],
    ['sale', 'example.com lists boats that are for sale'],
    ['sale', 'Ask info@example.com: the boat is for sale'],
    ['sale', 'We run shop.example.com. For sale: boats'],
    ['sale', 'This domain hosts our archive. The boat is for sale.'],
    ['sale', 'This domain is not for sale'],
    ['sale', 'Diese Domain steht nicht zum Verkauf'],
    ['sale', 'این دامنه برای فروش نیست'],
    ['sale', 'यह डोमेन बिकाऊ नहीं है'],
    ['sale', 'โดเมนนี้ไม่ขาย'],
    ['sale', 'If the domain is for sale, say so'],
    ['sale', 'Many pages say “this domain is for sale” and no more'],
    ['sale', 'Es heißt „diese Domain steht zum Verkauf“.'],
    ['sale', 'زمین فروشی در دامنه کوه'],
    ['sale', 'המתחם למכירה'],
    ['buy', 'Buy a domain today'],
    ['buy', 'Buy example.com gift cards'],
    ['parked', 'Your car is parked. Thank you for choosing example.com'],
    ['registered', 'example.com is a registered trademark'],
    ['ended', 'Your session has expired'],
    ['ended', 'Unexpiredomain has expiredness'],
  ]
  for (const [topic, text] of cases) test(`${topic}: ${text}`, () => assert.equal(read(text)[topic], 'none'))
})

test('a statement about some domain is told from one about this domain', () => {
  assert.equal(read('Domain for sale').sale, 'kind')
  assert.equal(read('Домен продаётся').sale, 'kind')
  assert.equal(read('Buy example.com').buy, 'kind')
})

test('fold removes diacritics, case and extra spaces', () => {
  assert.equal(fold('SATILIK  Ünïcode\u00a0ﬁne\nŁódź ß’'), "satilik unicode fine\nlodz ss'")
})

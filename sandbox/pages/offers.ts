/** For-sale texts: the language, the claim that follows the name, and a sentence. */
export type Offer = readonly [lang: string, claim: string, text: string]

/** Selected at random. */
export const COMMON_OFFERS: readonly Offer[] = [
  ['en', 'is for sale', 'Interested in this domain? Make an offer, and its holder will answer within a day.'],
  ['de', 'steht zum Verkauf', 'Diese Domain steht zum Verkauf. Bei Interesse senden Sie uns ein Angebot.'],
  ['fr', 'est à vendre', 'Ce nom de domaine est à vendre. Faites une offre à son titulaire.'],
  ['es', 'está en venta', 'Este dominio está en venta. Envíe su oferta al titular.'],
]

/** Selected only by a language code in the name. */
const FURTHER_OFFERS: readonly Offer[] = [
  ['th', 'ประกาศขาย', 'โดเมนนี้ประกาศขาย สนใจซื้อโดเมนนี้ ส่งข้อเสนอถึงเจ้าของได้เลย'],
  ['fa', 'به فروش می‌رسد', 'این دامنه به فروش می‌رسد. پیشنهاد خود را برای دارنده بفرستید.'],
  ['he', 'למכירה', 'הדומיין הזה למכירה. שלחו הצעה לבעליו.'],
  ['bg', 'се продава', 'Този домейн се продава. Изпратете оферта на собственика.'],
  ['hr', 'je na prodaju', 'Ova domena je na prodaju. Pošaljite ponudu vlasniku.'],
  ['lt', 'parduodamas', 'Šis domenas parduodamas. Siųskite pasiūlymą savininkui.'],
  ['lv', 'ir pārdošanā', 'Šis domēns ir pārdošanā. Sūtiet piedāvājumu īpašniekam.'],
  ['et', 'on müügis', 'See domeen on müügis. Saatke omanikule pakkumine.'],
  ['hi', 'बिक्री के लिए है', 'यह डोमेन बिक्री के लिए उपलब्ध है। मालिक को अपना प्रस्ताव भेजें।'],
]

export const OFFERS: readonly Offer[] = [...COMMON_OFFERS, ...FURTHER_OFFERS]

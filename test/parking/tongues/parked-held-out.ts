import type { Sentences } from './layouts.ts'

/** Written before the rules for these languages, and not scored while those were tuned. */
export const PARKED_HELD_OUT: Sentences = [
  ['th', '@', 'ต้องการเป็นเจ้าของโดเมนนี้หรือไม่', 'โดเมนเนมนี้เปิดขายในราคา 45,000 บาท'],
  ['th', 'Lindqvist Thailand', 'ชื่อโดเมนนี้จดทะเบียนผ่าน Lindqvist', 'เจ้าของยังไม่ได้สร้างเว็บไซต์'],
  ['th', '@', 'โดเมน @ หมดอายุแล้ว', 'กรุณาต่ออายุโดเมน'],
  ['th', '@ ขายโดเมนเนม', 'โดเมนเนม @ สำหรับขาย', 'ติดต่อสอบถามราคาได้ตลอดเวลา'],

  ['fa', '@', 'این دامین فروشی است', 'جهت خرید این دامنه پیام بگذارید.'],
  ['fa', 'دامنه @ به فروش می‌رسد', 'مایل به خرید این دامنه هستید؟', 'پیشنهاد قیمت بدهید.'],
  ['fa', 'لیندکویست', 'این دامنه توسط یکی از مشتریان ما ثبت گردیده است.', 'هنوز سایتی روی آن راه‌اندازی نشده است.'],
  ['fa', '@', 'دامنه @ پارک شده است', 'ورود مالک دامنه'],

  ['he', '@', 'מעוניינים לרכוש את הדומיין הזה?', 'הדומיין @ עומד למכירה.'],
  ['he', '@', 'שם מתחם זה רשום על ידי לקוח של לינדקוויסט', 'עדיין לא הוקם כאן אתר.'],
  ['he', '@', 'תוקף הדומיין פג', 'הדומיין @ פג תוקף ויש לחדש אותו.'],
  ['he', 'דומיין בחניה', 'דומיין זה נמצא בחניה', 'האם זה הדומיין שלך?'],

  ['bg', '@', 'Искате ли да купите този домейн?', 'Домейнът се продава от собственика си.'],
  ['bg', '@', 'Това домейн име е регистрирано наскоро от клиент на Линдквист.', 'Все още няма сайт.'],
  ['bg', '@', 'Срокът на домейна е изтекъл.', 'Домейнът @ не е подновен.'],
  ['bg', 'Продава се: @', 'Продава се домейн @', 'Цена по договаряне.'],

  ['hr', '@', 'Želite kupiti ovu domenu?', 'Domenu prodaje vlasnik.'],
  ['hr', '@', 'Domena je uspješno registrirana', 'Na ovoj domeni još nema web stranice.'],
  ['hr', '@', 'Ova je domena parkirana', 'Jeste li vlasnik ove domene? Prijavite se.'],
  ['hr', 'Domena na prodaju', 'Naziv domene @ dostupan je za kupnju', 'Cijena na upit.'],

  ['lt', '@', 'Norite įsigyti šį domeną?', 'Domenas @ parduodamas už 800 EUR.'],
  ['lt', '@', 'Domeno vardas užregistruotas neseniai', 'Savininkas dar nesukūrė svetainės šiam domenui.'],
  ['lt', '@', 'Domeno galiojimas baigėsi', 'Domenas @ nebuvo pratęstas.'],
  ['lt', '@', 'Šį domeną galima nusipirkti', 'Susisiekite su savininku.'],

  ['lv', '@', 'Vai vēlaties iegādāties šo domēnu?', 'Domēns @ ir pārdodams.'],
  ['lv', '@', 'Domēns @ ir reģistrēts, bet mājaslapas vēl nav.', 'Reģistrators: Lindqvist.'],
  ['lv', 'Novietots domēns', 'Šis domēns ir noparkots pie Lindqvist', 'Vai jūs esat šī domēna īpašnieks?'],
  ['lv', '@', 'Tiek pārdots domēns @', 'Cena pēc vienošanās.'],

  ['et', '@', 'Kas soovite seda domeeni osta?', 'Domeeninimi @ on müüa.'],
  ['et', '@', 'Domeen @ registreeriti hiljuti', 'Omanik pole veebilehte veel loonud.'],
  ['et', '@', 'Domeen on aegunud', 'Domeeni @ registreering on lõppenud.'],
  ['et', '@', 'See domeeninimi müüakse', 'Pakkumised palume saata e-postiga.'],

  ['hi', '@', 'क्या आप यह डोमेन खरीदना चाहते हैं?', 'डोमेन नाम @ बिक्री के लिए है।'],
  ['hi', '@', 'यह डोमेन नाम हाल ही में लिंडक्विस्ट द्वारा रजिस्टर किया गया है', 'अभी कोई वेबसाइट नहीं है।'],
  ['hi', '@', 'डोमेन पार्क किया गया है', 'यह डोमेन @ लिंडक्विस्ट पर पार्क किया गया है।'],
  ['hi', '@', 'यह डोमेन बेचा जा रहा है', 'खरीदने के लिए संपर्क करें।'],
]

import { type Vocabulary, vocabulary } from './vocabulary.ts'

/** Languages of South Asia, the Middle East, the Balkans and the Baltic; `phrases.ts` has the others. */
export const FURTHER_VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  th: vocabulary({
    name: 'โดเมนนี้|โดเมนเนมนี้|ชื่อโดเมนนี้|โดเมนดังกล่าว',
    kind: 'โดเมน|โดเมนเนม|ชื่อโดเมน',
    sale: 'ขาย|จำหน่าย|ให้ซื้อ|ซื้อได้|เปิดประมูล',
    buy: 'ซื้อ|เสนอราคา|ยื่นข้อเสนอ|สนใจ|เป็นเจ้าของ|เช่า|ประมูล|สอบถามราคา',
    parked: 'จอดไว้|ถูกจอด|จอดอยู่|พาร์ค|พักไว้|ฝากไว้',
    registered:
      'จดทะเบียนกับ|จดทะเบียนแล้ว|จดทะเบียนผ่าน|จดทะเบียนโดย|จดทะเบียนที่|จดทะเบียนไว้|ได้จดทะเบียน|ถูกจดทะเบียน|มีผู้จดทะเบียน|ได้รับการจดทะเบียน|ลงทะเบียนแล้ว|ลงทะเบียนกับ|มีเจ้าของแล้ว|ยังไม่มีเว็บไซต์|ยังไม่ได้สร้าง|ยังไม่ได้เชื่อมต่อ|ยังไม่ได้ตั้งค่า|ยังไม่มีเนื้อหา',
    ended: 'หมดอายุ|ถูกระงับ|ระงับการใช้งาน|ไม่ได้ต่ออายุ',
    ads: 'การค้นหาที่เกี่ยวข้อง|ค้นหาที่เกี่ยวข้อง|ลิงก์ที่เกี่ยวข้อง|ลิงก์ผู้สนับสนุน|ลิงก์สนับสนุน',
  }),
  fa: vocabulary({
    name: 'این دامنه|این دامین|این نام دامنه|دامنه این سایت|دامنه فوق',
    kind: 'دامنه|نام دامنه|دامنه اینترنتی|دامنه سایت|دامین',
    sale: 'به فروش می‌رسد|به فروش می رسد|فروش|فروشی|فروخته|قابل خرید|قابل خریداری|واگذار|واگذاری|به مزایده',
    buy: 'خرید|خریداری|بخرید|بخرم|پیشنهاد قیمت|پیشنهاد خود|قیمت پیشنهادی|اجاره|مزایده',
    parked: 'پارک شده|پارک گردیده|پارک است|در پارکینگ',
    registered:
      'ثبت شده|ثبت و|نگهداری می‌شود|نگهداری می شود|ثبت گردیده|ثبت شد|به ثبت رسیده|رزرو شده|هنوز سایتی|هنوز وب‌سایتی|هنوز وب سایتی|هنوز محتوایی|متصل نشده|تنظیم نشده|فعال نشده|راه‌اندازی نشده|راه اندازی نشده',
    ended: 'منقضی شده|منقضی گردیده|تمدید نشده|مسدود شده|معلق شده|به پایان رسیده',
    ads: 'جستجوهای مرتبط|جستجوهای مشابه|لینک‌های مرتبط|لینک های مرتبط|پیوندهای مرتبط|لینک‌های تبلیغاتی',
  }),
  // The second word of the Hebrew "domain name" alone means a housing estate, so only the whole phrase is listed.
  he: vocabulary({
    name: 'הדומיין|הדומיין הזה|דומיין זה|לדומיין זה|לדומיין הזה|שם המתחם|שם מתחם זה|שם הדומיין|שם דומיין זה',
    kind: 'דומיין|שם מתחם|שם דומיין|שמות מתחם',
    sale: 'למכירה|נמכר|ניתן לרכישה|זמין לרכישה|ניתן לקנות|מוצע לרכישה|להשכרה|במכירה פומבית',
    buy: 'לרכוש|לקנות|לרכישת|לרכישה|רכישת|לקניית|קניית|קנו|רכשו|הצעת מחיר|הציעו מחיר|הגישו הצעה|הגש הצעה|מעוניין|מעוניינים|מתעניינים|לשכור',
    parked: 'חונה|בחניה|בחנייה|מוחנה',
    registered:
      'נרשם|רשום|שמור|תפוס|נרכש|נקלט|טרם הוקם|עדיין לא הוקם|אינו מחובר|לא מחובר|לא מוגדר|טרם הוגדר|אין אתר|עדיין אין|אין עדיין',
    ended: 'פג תוקף|פג תוקפו|תוקפו פג|פג|הושעה|מושעה|לא חודש|נחסם',
    ads: 'חיפושים קשורים|חיפושים דומים|קישורים ממומנים|קישורים קשורים|נושאים קשורים',
  }),
  bg: vocabulary({
    name: 'този домейн|домейн името|това домейн име|това име на домейн|домейнът|домейна|името на домейна',
    kind: 'домейн|домейн име|име на домейн|домейни',
    sale: 'се продава|продава се|за продажба|може да бъде закупен|може да бъде купен|може да закупите|може да купите|достъпен за покупка|на аукцион|продавам|продаваме|под наем',
    buy: 'купи|купите|купете|закупите|закупете|придобиете|направете оферта|направете предложение|изпратете оферта|изпратете предложение|интересувате|интерес към|наемете',
    parked: 'паркиран*|паркинг страница',
    registered:
      'регистриран|регистрирано|запазен|запазено|зает|няма сайт|няма качен|няма съдържание|не е насочен|не е конфигуриран|не е свързан|не е настроен',
    ended: 'изтекъл|изтече|изтекла|спрян|не е подновен|не беше подновен|деактивиран|е блокиран',
    ads: 'свързани търсения|подобни търсения|спонсорирани връзки|спонсорирани линкове|свързани връзки',
  }),
  hr: vocabulary({
    name: 'ova domena|ovu domenu|ove domene|ova je domena|ovoj domeni|ovo ime domene|ovaj naziv domene|ovaj domen|ovog domena|овај домен|овог домена',
    kind: 'domena|domenu|domene|naziv domene|ime domene|domen|домен|назив домена',
    sale: 'na prodaju|na prodaji|za prodaju|prodaje se|prodaje vlasnik|prodajem|prodajemo|dostupna za kupnju|dostupan je za kupnju|dostupna je za kupnju|dostupan za kupovinu|moze se kupiti|na aukciji|на продају|продаје се',
    buy: 'kupite|kupiti|kupi|kupnju|kupovinu|posaljite ponudu|dajte ponudu|zainteresirani|zainteresovani|unajmite|купите',
    parked: 'parkiran*|паркиран*',
    registered:
      'registriran|registrirana|registrirano|registrovan|zakupljena|zakupljen|zauzeta|zauzet|rezervirana|rezervisan|nema web stranice|jos nema|nije povezana|nije postavljena|nije konfigurirana|регистрован',
    ended: 'istekla|istekao|suspendirana|suspendovan|nije produzena|nije obnovljena|obustavljena|blokirana|истекао',
    ads: 'povezane pretrage|srodne pretrage|povezana pretrazivanja|sponzorirane poveznice|sponzorirani linkovi',
  }),
  sl: vocabulary({
    name: 'ta domena|to domeno|te domene|to domensko ime',
    kind: 'domena|domeno|domensko ime',
    sale: 'naprodaj|je na prodaj|na voljo za nakup|se prodaja|mogoce kupiti',
    buy: 'kupite|kupiti|nakup|oddajte ponudbo|posljite ponudbo|zanima',
    parked: 'parkiran*',
    registered: 'registrirana|zasedena|rezervirana|se nima|ni povezana',
    ended: 'potekla|ni podaljsana|zacasno onemogocena',
    ads: 'sorodna iskanja|povezana iskanja|sponzorirane povezave',
  }),
  lt: vocabulary({
    name: 'šis domenas|šio domeno|šį domeną|šiam domenui|šis domeno vardas|šį domeno vardą|šiuo domenu',
    kind: 'domenas|domeno|domeną|domenui|domeno vardas|domeno vardą|domenai',
    sale: 'parduod*|parduos*|perkam*|galima nusipirkti|galima įsigyti|galite įsigyti|galite nusipirkti|pardavimui|nuomojamas|aukcione',
    buy: 'įsigyti|pirkti|nusipirkti|pateikite pasiūlymą|pateikti pasiūlymą|siūlykite kainą|sudomino|susidomėjote|domina|išsinuomoti',
    parked: 'priparkuot*|užparkuot*|parkuojam*|parkavimo',
    registered:
      'užregistruot*|registruotas|rezervuot*|svetainės dar nėra|nėra svetainės|dar nesukurta|dar nesukūrė|neturi svetainės|nesukonfigūruot*|neprijungt*|nepriskirt*',
    ended: 'baigėsi|pasibaigė|pasibaigęs|sustabdyt*|nepratęst*|nebuvo pratęst*|užblokuot*',
    ads: 'susijusios paieškos|panašios paieškos|remiamos nuorodos|susijusios nuorodos|reklaminės nuorodos',
  }),
  lv: vocabulary({
    name: 'šis domēns|šī domēna|šo domēnu|šis domēna vārds|šajā domēnā|šim domēnam|šī domēna vārds',
    kind: 'domēns|domēna|domēnu|domēna vārds|domēna vārdu|domēnam|domēni',
    sale: 'pārdošanā|pārdot*|pārdod*|nopērkam*|pērkam*|pārdošanai|var iegādāties|var nopirkt|iegādei|izsolē|tiek iznomāts',
    buy: 'iegādāties|pirkt|nopirkt|iesniedziet piedāvājumu|izteikt piedāvājumu|piedāvāt cenu|interesē|ieinteresēts|nomāt',
    parked: 'noparkot*|piepārkot*|parkots|novietots stāvvietā',
    registered:
      'reģistrēts|reģistrēta|reģistrēja|rezervēts|ir aizņemts|nav mājaslapas|mājaslapas vēl nav|vietnes vēl nav|vēl nav izveidota|nav pieslēgts|nav konfigurēts|nav piesaistīts',
    ended: 'beidzies|beigusies|beidzās|apturēt*|nav pagarināts|bloķēt*|deaktivizēt*',
    ads: 'saistītie meklējumi|līdzīgi meklējumi|sponsorētās saites|saistītās saites',
  }),
  et: vocabulary({
    name: 'see domeen|seda domeeni|selle domeeni|see domeeninimi|sellel domeenil|sel domeenil|antud domeen|see veebiaadress',
    kind: 'domeen|domeeni|domeeninimi|domeeninime|domeenid',
    sale: 'müügis|müüa|müüakse|müün|saab osta|ostetav|võimalik osta|oksjonil|rendile anda',
    buy: 'osta|ostmiseks|tehke pakkumine|tee pakkumine|esitage pakkumine|huvitatud|rentida',
    parked: 'pargitud|pargib|parkimislehel',
    registered:
      'registreeritud|registreeriti|broneeritud|pole veebilehte|veebilehte pole|kodulehte ei ole|kodulehte pole|pole veel|ei ole veel|seadistamata|pole seadistatud|ühendamata',
    ended: 'aegunud|aegus|on lõppenud|lõppes|peatatud|pole pikendatud|ei ole pikendatud|pikendamata',
    ads: 'seotud otsingud|sarnased otsingud|sponsoreeritud lingid|seotud lingid',
  }),
  hi: vocabulary({
    name: 'यह डोमेन|इस डोमेन|ये डोमेन|यह डोमेन नाम|इस डोमेन नाम|यह वेब पता',
    kind: 'डोमेन|डोमेन नाम|डोमेन नेम',
    sale: 'बिक्री|बिकाऊ|बिकने|बिक रहा|बेचा|बेचना|बेचने|खरीदने के लिए उपलब्ध|खरीद के लिए उपलब्ध|खरीदा जा सकता|नीलामी में',
    buy: 'खरीदें|खरीदना|खरीदने|ऑफर दें|प्रस्ताव भेजें|प्रस्ताव दें|बोली लगाएँ|बोली लगाएं|रुचि|किराए',
    parked: 'पार्क किया|पार्क किया हुआ|पार्क्ड|पार्क है',
    registered:
      'पंजीकृत|रजिस्टर किया|रजिस्टर हो|रजिस्टर्ड|पंजीकरण हो|आरक्षित|कोई वेबसाइट नहीं|वेबसाइट नहीं|कनेक्ट नहीं|जुड़ा नहीं|सेट नहीं',
    ended: 'समाप्त हो गई|समाप्त हो गया|समाप्त हो चुका|समाप्त हो चुकी|एक्सपायर|निलंबित|नवीनीकृत नहीं|नवीनीकरण नहीं',
    ads: 'संबंधित खोज|संबंधित खोजें|मिलती-जुलती खोजें|प्रायोजित लिंक|संबंधित लिंक',
  }),
}

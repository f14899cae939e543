/** What ordinary sites of one language say. `@` stands for the name of the site. */
export type Texts = {
  /** About nothing in particular; strung together they make a page. */
  readonly prose: readonly string[]
  /** An estate agent or an auction house: a title, and what is on offer. */
  readonly offers: readonly [title: string, ...lines: string[]]
  /** An article about domains: a title, and statements as parked pages have them, about other names. */
  readonly article: readonly [title: string, ...lines: string[]]
  /** A hobby: a title, and the line in its footer. */
  readonly hobby: readonly [title: string, footer: string]
  /** The home page of a registrar. */
  readonly registrar: readonly [title: string, ...lines: string[]]
}

export const TEXTS: Readonly<Record<string, Texts>> = {
  th: {
    prose: [
      'เช้าวันนี้ฝนตกเบาๆ เราออกไปเดินริมแม่น้ำและถ่ายรูปนกหลายชนิด',
      'คุณยายสอนทำแกงเขียวหวานแบบโบราณให้หลานทุกคน',
      'รถไฟจำลองขบวนใหม่วิ่งรอบห้องได้โดยไม่สะดุดเลย',
      'สวนหลังบ้านมีต้นมะม่วงสามต้นและดอกไม้เต็มไปหมด',
      'เราเก็บแสตมป์มาตั้งแต่ปีสองพันห้าร้อยและยังหาเพิ่มอยู่เสมอ',
    ],
    offers: ['บ้านและที่ดินขาย', 'ขายบ้านเดี่ยวสองชั้นใกล้ทะเล', 'ที่ดินเปล่าพร้อมขาย', 'คอนโดขายถูก เจ้าของขายเอง'],
    article: [
      'วิธีขายโดเมนให้ได้ราคาดี',
      'หลายเว็บขึ้นข้อความว่า "โดเมนนี้ประกาศขาย" แต่ไม่มีใครติดต่อเลย',
      'ก่อนขายโดเมนควรดูว่าโดเมนหมดอายุเมื่อไร',
    ],
    hobby: ['รถไฟจำลองของสมชาย', 'โดเมนนี้อาจขายได้ สนใจส่งอีเมลหาผม'],
    registrar: ['จดโดเมนและโฮสติ้ง', 'ค้นหาชื่อโดเมนของคุณ', 'จดทะเบียนโดเมนเริ่มต้น 299 บาท', 'ย้ายโดเมนมาอยู่กับเรา'],
  },
  fa: {
    prose: [
      'امروز صبح کنار رودخانه قدم زدیم و از پرنده‌ها عکس گرفتیم.',
      'مادربزرگ دستور پخت قدیمی آش را به همه یاد داد.',
      'قطار مدل تازه بدون هیچ مشکلی دور اتاق می‌چرخد.',
      'در باغچه سه درخت انار و گل‌های زیادی داریم.',
      'از سال هفتاد تمبر جمع می‌کنیم و هنوز دنبال تمبرهای تازه هستیم.',
    ],
    offers: [
      'ویلا و زمین فروشی در دامنه البرز',
      'زمین فروشی در دامنه کوه با چشم‌انداز',
      'آپارتمان دو خوابه برای فروش',
      'باغ فروشی نزدیک روستا',
    ],
    article: [
      'چگونه دامنه خود را بفروشیم',
      'بسیاری از صفحه‌ها فقط می‌نویسند «این دامنه به فروش می‌رسد» و کسی پاسخ نمی‌دهد.',
      'پیش از فروش ببینید دامنه چه زمانی منقضی می‌شود.',
    ],
    hobby: ['قطارهای کوچک رضا', 'شاید این دامنه برای فروش باشد، ایمیل بزنید.'],
    registrar: [
      'ثبت دامنه و هاست',
      'نام دامنه خود را جستجو کنید',
      'ثبت دامنه از ۹۹ هزار تومان',
      'انتقال دامنه به ما آسان است',
    ],
  },
  he: {
    prose: [
      'הבוקר יצאנו לטייל לאורך הנחל וצילמנו הרבה ציפורים.',
      'סבתא לימדה את כולם את המתכון הישן למרק שלה.',
      'הרכבת החדשה נוסעת סביב החדר בלי שום תקלה.',
      'בגינה יש לנו שלושה עצי רימון והמון פרחים.',
      'אנחנו אוספים בולים משנות השבעים ועדיין מחפשים חדשים.',
    ],
    offers: ['מתחם מגורים למכירה בצפון', 'המתחם למכירה כולל שתי וילות', 'דירת גן למכירה', 'מגרש למכירה ליד הים'],
    article: [
      'איך מוכרים דומיין במחיר טוב',
      'הרבה דפים אומרים רק "הדומיין הזה למכירה" ואף אחד לא עונה.',
      'לפני המכירה בדקו מתי פג תוקף הדומיין.',
    ],
    hobby: ['הרכבות של יואב', 'ייתכן שהדומיין הזה למכירה, כתבו לי.'],
    registrar: ['רישום דומיינים ואחסון', 'חפשו שם דומיין', 'רישום דומיין החל מ-39 שקלים', 'העברת דומיין אלינו'],
  },
  bg: {
    prose: [
      'Тази сутрин се разходихме край реката и снимахме много птици.',
      'Баба научи всички на старата си рецепта за баница.',
      'Новото влакче обикаля стаята без никакъв проблем.',
      'В градината имаме три ябълки и безброй цветя.',
      'Събираме марки от седемдесетте години и още търсим нови.',
    ],
    offers: [
      'Имоти за продажба – Витоша',
      'Апартамент за продажба, два етажа',
      'Продава се къща с двор',
      'Парцел за продажба до морето',
    ],
    article: [
      'Как да продадем домейн изгодно',
      'Много страници казват само „този домейн се продава“ и никой не отговаря.',
      'Преди продажбата проверете кога изтича домейнът.',
    ],
    hobby: ['Влакчетата на Петър', 'Този домейн може да се продава, пишете ми.'],
    registrar: [
      'Регистрация на домейни и хостинг',
      'Намерете своя домейн',
      'Домейни от 19 лева',
      'Трансфер на домейн за минути',
    ],
  },
  hr: {
    prose: [
      'Jutros smo šetali uz rijeku i fotografirali mnogo ptica.',
      'Baka je sve naučila svoj stari recept za štrudlu.',
      'Novi vlakić vozi oko sobe bez ikakvih problema.',
      'U vrtu imamo tri jabuke i bezbroj cvjetova.',
      'Marke skupljamo od sedamdesetih i još tražimo nove.',
    ],
    offers: [
      'Nekretnine na prodaju – Kvarner',
      'Kuća na prodaju s vrtom',
      'Prodaje se stan na moru',
      'Zemljište na prodaju',
    ],
    article: [
      'Kako dobro prodati domenu',
      'Mnoge stranice kažu samo „ova domena je na prodaju“ i nitko ne odgovara.',
      'Prije prodaje provjerite kada domena istječe.',
    ],
    hobby: ['Ivini vlakići', 'Ova domena je možda na prodaju, javite se mailom.'],
    registrar: [
      'Registracija domena i hosting',
      'Pronađite svoju domenu',
      'Domene već od 9 eura',
      'Prijenos domene u nekoliko minuta',
    ],
  },
  lt: {
    prose: [
      'Šįryt vaikščiojome palei upę ir fotografavome daug paukščių.',
      'Močiutė visus išmokė seno šaltibarščių recepto.',
      'Naujas traukinukas važiuoja aplink kambarį be jokių problemų.',
      'Sode turime tris obelis ir daugybę gėlių.',
      'Pašto ženklus renkame nuo septintojo dešimtmečio ir vis dar ieškome naujų.',
    ],
    offers: [
      'Parduodami namai prie jūros',
      'Parduodamas namas su sodu',
      'Parduodamas butas Klaipėdoje',
      'Sklypas parduodamas prie ežero',
    ],
    article: [
      'Kaip gerai parduoti domeną',
      'Daug puslapių skelbia tik „šis domenas parduodamas“, ir niekas neatsako.',
      'Prieš parduodami patikrinkite, kada baigiasi domeno galiojimas.',
    ],
    hobby: ['Jono traukinukai', 'Galbūt šis domenas parduodamas, rašykite man.'],
    registrar: [
      'Domenų registracija ir talpinimas',
      'Raskite savo domeną',
      'Domenai nuo 7 eurų',
      'Perkelkite domeną pas mus',
    ],
  },
  lv: {
    prose: [
      'Šorīt pastaigājāmies gar upi un fotografējām daudz putnu.',
      'Vecmāmiņa visiem iemācīja savu veco maizes recepti.',
      'Jaunais vilcieniņš brauc pa istabu bez nekādām problēmām.',
      'Dārzā mums ir trīs ābeles un ļoti daudz puķu.',
      'Pastmarkas krājam kopš septiņdesmitajiem gadiem un vēl meklējam jaunas.',
    ],
    offers: [
      'Pārdod mājas pie jūras',
      'Pārdod māju ar dārzu',
      'Dzīvoklis ir pārdošanā Rīgā',
      'Tiek pārdots zemes gabals',
    ],
    article: [
      'Kā izdevīgi pārdot domēnu',
      'Daudzās lapās rakstīts tikai “šis domēns ir pārdošanā”, un neviens neatbild.',
      'Pirms pārdošanas pārbaudiet, kad domēnam beidzas termiņš.',
    ],
    hobby: ['Jāņa vilcieniņi', 'Iespējams, šis domēns ir pārdošanā, rakstiet man.'],
    registrar: [
      'Domēnu reģistrācija un hostings',
      'Atrodiet savu domēnu',
      'Domēni no 8 eiro',
      'Pārceliet domēnu pie mums',
    ],
  },
  et: {
    prose: [
      'Täna hommikul jalutasime jõe ääres ja pildistasime palju linde.',
      'Vanaema õpetas kõigile oma vana leivaretsepti.',
      'Uus mudelrong sõidab ümber toa ilma ühegi tõrketa.',
      'Aias on meil kolm õunapuud ja lugematu hulk lilli.',
      'Marke kogume seitsmekümnendatest ja otsime ikka uusi.',
    ],
    offers: ['Müüa majad mere ääres', 'Müüa maja aiaga', 'Korter on müügis Tartus', 'Müüa krunt järve kaldal'],
    article: [
      'Kuidas domeeni hästi müüa',
      'Paljudel lehtedel seisab ainult „see domeen on müügis“ ja keegi ei vasta.',
      'Enne müüki vaadake, millal domeen aegub.',
    ],
    hobby: ['Jaani rongid', 'See domeen on võib-olla müügis, kirjutage mulle.'],
    registrar: [
      'Domeenide registreerimine ja majutus',
      'Leia oma domeen',
      'Domeenid alates 9 eurost',
      'Too domeen meie juurde',
    ],
  },
  hi: {
    prose: [
      'आज सुबह हम नदी के किनारे टहले और बहुत से पक्षियों की तस्वीरें लीं।',
      'दादी ने सबको अपनी पुरानी खिचड़ी की विधि सिखाई।',
      'नई छोटी रेलगाड़ी बिना किसी रुकावट के कमरे का चक्कर लगाती है।',
      'बगीचे में आम के तीन पेड़ और ढेर सारे फूल हैं।',
      'हम सत्तर के दशक से डाक टिकट जमा करते हैं और अब भी नए खोजते हैं।',
    ],
    offers: ['मकान और ज़मीन बिक्री के लिए', 'दो मंज़िला मकान बिकाऊ है', 'फ्लैट बिक्री के लिए उपलब्ध है', 'खेत बिकाऊ है'],
    article: [
      'डोमेन अच्छी कीमत पर कैसे बेचें',
      'कई पन्नों पर बस लिखा होता है "यह डोमेन बिक्री के लिए उपलब्ध है" और कोई जवाब नहीं देता।',
      'बेचने से पहले देखें कि डोमेन कब समाप्त होगा।',
    ],
    hobby: ['राजू की रेलगाड़ियाँ', 'शायद यह डोमेन बिक्री के लिए है, मुझे लिखें।'],
    registrar: ['डोमेन पंजीकरण और होस्टिंग', 'अपना डोमेन खोजें', 'डोमेन 99 रुपये से', 'डोमेन हमारे पास लाएँ'],
  },
}

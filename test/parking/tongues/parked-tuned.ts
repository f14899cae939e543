import type { Sentences } from './layouts.ts'

/** Parked pages the rules may be tuned on. `@` stands for the name; the registrar is invented. */
export const PARKED_TUNED: Sentences = [
  ['th', '@', 'โดเมนนี้ประกาศขาย', 'สนใจซื้อโดเมนนี้ กรุณาติดต่อทางอีเมล'],
  ['th', 'ขายโดเมน @', 'ชื่อโดเมน @ พร้อมขายแล้ววันนี้', 'ส่งข้อเสนอของคุณมาให้เรา'],
  ['th', '@', 'โดเมนนี้ได้จดทะเบียนกับ Lindqvist แล้ว', 'เว็บไซต์อยู่ระหว่างการก่อสร้าง'],
  ['th', 'Lindqvist', 'โดเมน @ ถูกจอดไว้กับเรา', 'หากคุณเป็นเจ้าของโดเมน กรุณาเข้าสู่ระบบ'],

  ['fa', '@', 'این دامنه به فروش می‌رسد', 'برای خرید با ما تماس بگیرید.'],
  ['fa', 'فروش دامنه @', 'دامنه @ برای فروش است', 'قیمت پیشنهادی خود را ارسال کنید.'],
  ['fa', '@', 'این دامنه به تازگی در لیندکویست ثبت شده است.', 'وب‌سایت در دست ساخت است.'],
  ['fa', '@', 'این دامنه منقضی شده است.', 'اگر مالک این دامنه هستید آن را تمدید کنید.'],

  ['he', '@', 'הדומיין הזה למכירה', 'לפרטים נוספים צרו קשר.'],
  ['he', '@ – דומיין למכירה', 'שם המתחם @ מוצע למכירה', 'הגישו הצעת מחיר.'],
  ['he', '@', 'דומיין זה נרשם באמצעות לינדקוויסט.', 'האתר בבנייה.'],
  ['he', 'לינדקוויסט', 'הדומיין @ חונה אצלנו', 'אם אתם בעלי הדומיין, היכנסו לחשבון.'],

  ['bg', '@', 'Този домейн се продава', 'Пишете ни за цена.'],
  ['bg', 'Домейн за продажба', 'Домейнът @ е обявен за продажба', 'Изпратете своето предложение.'],
  ['bg', '@', 'Този домейн е регистриран чрез Линдквист.', 'Сайтът е в процес на изграждане.'],
  ['bg', '@', 'Домейнът @ е паркиран', 'Ако сте собственик на домейна, влезте в профила си.'],

  ['hr', '@', 'Ova domena je na prodaju', 'Pošaljite nam svoju ponudu.'],
  ['hr', 'Prodaje se domena @', 'Domena @ je na prodaju', 'Javite nam se za cijenu.'],
  ['hr', '@', 'Ova domena je registrirana kod Lindqvista.', 'Stranica je u izradi.'],
  ['hr', '@', 'Domena @ je istekla.', 'Ako ste vlasnik domene, produžite je.'],

  ['lt', '@', 'Šis domenas parduodamas', 'Rašykite mums dėl kainos.'],
  ['lt', 'Parduodamas domenas @', 'Domenas @ yra parduodamas', 'Pateikite savo pasiūlymą.'],
  ['lt', '@', 'Šis domenas užregistruotas per Lindqvist.', 'Svetainė kuriama.'],
  ['lt', 'Lindqvist', 'Šis domenas yra priparkuotas', 'Jei esate domeno savininkas, prisijunkite.'],

  ['lv', '@', 'Šis domēns ir pārdošanā', 'Rakstiet mums, lai uzzinātu cenu.'],
  ['lv', 'Pārdod domēnu @', 'Domēna vārds @ tiek pārdots', 'Iesniedziet savu piedāvājumu.'],
  ['lv', '@', 'Šis domēns ir reģistrēts pie Lindqvist.', 'Mājaslapa tiek izstrādāta.'],
  ['lv', '@', 'Domēna @ darbības termiņš ir beidzies.', 'Ja esat domēna īpašnieks, pagariniet to.'],

  ['et', '@', 'See domeen on müügis', 'Hinna saamiseks kirjutage meile.'],
  ['et', 'Müüa domeen @', 'Domeen @ on müügis', 'Tehke pakkumine.'],
  ['et', '@', 'See domeen on registreeritud Lindqvisti kaudu.', 'Veebileht on valmimisel.'],
  ['et', 'Lindqvist', 'Domeen @ on pargitud', 'Kui olete domeeni omanik, logige sisse.'],

  ['hi', '@', 'यह डोमेन बिक्री के लिए उपलब्ध है', 'कीमत जानने के लिए हमें लिखें।'],
  ['hi', 'बिकाऊ डोमेन @', 'डोमेन @ बिकाऊ है', 'अपना प्रस्ताव भेजें।'],
  ['hi', '@', 'यह डोमेन लिंडक्विस्ट के साथ पंजीकृत है।', 'वेबसाइट निर्माणाधीन है।'],
  ['hi', '@', 'इस डोमेन की अवधि समाप्त हो गई है।', 'यदि आप डोमेन के स्वामी हैं तो इसे नवीनीकृत करें।'],
]

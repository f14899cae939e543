import { chooser, document, type Draft } from './making.ts'

type Maker = readonly [family: string, drafts: () => Draft[]]

/** Our own for-sale sentences in the style of domain owners; `@` is the domain. */
const FOR_SALE: readonly (readonly [lang: string, title: string, ...lines: string[]])[] = [
  ['en', '@', 'This domain name is for sale.', 'Write to us with your offer.'],
  ['en', '@ – domain available', 'Interested in this domain?', 'Make an offer and we will answer within a day.'],
  ['en', 'Welcome', '@ may be for sale', 'Please contact the holder.'],
  ['de', '@', 'Diese Domain steht zum Verkauf!', 'Bei Interesse freuen wir uns über Ihr Angebot.'],
  ['de', '@ zu verkaufen', 'Sie möchten diese Domain kaufen?', 'Schreiben Sie uns eine E-Mail.'],
  ['fr', '@', 'Ce nom de domaine est à vendre.', 'Contactez-nous pour faire une offre.'],
  ['es', '@', 'Este dominio está en venta', 'Si le interesa, envíenos una propuesta.'],
  ['it', '@', 'Il dominio @ è in vendita', 'Scrivici per ricevere un preventivo.'],
  ['nl', '@', 'Deze domeinnaam is te koop', 'Neem contact op voor de prijs.'],
  ['pt', '@', 'Este domínio está à venda', 'Envie a sua proposta por e-mail.'],
  ['pl', '@', 'Domena @ jest na sprzedaż', 'Napisz do nas, aby poznać cenę.'],
  ['ru', '@', 'Домен @ продаётся', 'Напишите нам, чтобы узнать цену.'],
  ['uk', '@', 'Цей домен продається', 'Напишіть нам.'],
  ['zh', '@', '您正在访问的域名可以转让！', '有意者请联系我们。'],
  ['ja', '@', 'このドメインは販売中です', 'ご興味のある方はご連絡ください。'],
  ['ko', '@', '이 도메인은 판매 중입니다', '문의는 이메일로 보내 주세요.'],
  ['tr', '@', 'Bu alan adı satılıktır', 'Teklifinizi bize e-posta ile gönderebilirsiniz.'],
  ['sv', '@', 'Domänen @ är till salu', 'Hör av dig om du är intresserad.'],
  ['cs', '@', 'Tato doména je na prodej', 'Napište nám svou nabídku.'],
  ['hu', '@', 'Ez a domain eladó', 'Írjon nekünk ajánlatot.'],
  ['ro', '@', 'Acest domeniu este de vânzare', 'Contactați-ne pentru detalii.'],
  ['el', '@', 'Το domain @ πωλείται', 'Επικοινωνήστε μαζί μας.'],
  ['id', '@', 'Domain ini dijual', 'Hubungi kami untuk harga.'],
  ['ar', '@', 'هذا النطاق معروض للبيع', 'تواصل معنا.'],
]

const PLACEHOLDERS: readonly (readonly [lang: string, title: string, ...lines: string[]])[] = [
  ['en', '@', 'This domain was recently registered at Lindqvist Names.', 'Please check back later!'],
  ['en', 'Domain parked by Lindqvist Names', 'The owner of this domain has parked it with us.'],
  ['en', 'Lindqvist Names', '@ is parked here', 'Is this your domain? Log in to build a site.'],
  ['en', 'Parked Domain name on Lindqvist DNS', 'You see this page because the name points to our servers.'],
  ['de', '@', 'Diese Domain wurde bei Lindqvist registriert.', 'Der Inhaber hat noch keine Inhalte hinterlegt.'],
  ['de', 'Domain geparkt', 'Die Domain @ ist geparkt.', 'Sind Sie der Inhaber der Domain? Zum Kundenmenü.'],
  ['fr', '@', 'Ce nom de domaine a été enregistré chez Lindqvist.', 'Il est actuellement sans site.'],
  ['es', '@ | Registrado en Lindqvist', 'Este dominio ha sido registrado por medio de Lindqvist.'],
  ['it', '@', 'Questo dominio è stato registrato da un nostro cliente.', 'Sei il proprietario del dominio? Accedi.'],
  ['nl', '@', 'Deze domeinnaam is gereserveerd door een klant van Lindqvist.', 'Er is nog geen website.'],
  ['pt', '@', 'Este domínio foi registrado por um cliente.', 'Ainda não possui site publicado.'],
  ['pl', '@', 'Domena jest utrzymywana na serwerach Lindqvist.', 'Właściciel domeny może tu wgrać swoją stronę.'],
  ['ru', 'Домен припаркован', 'Домен @ припаркован', 'Если вы владелец домена, настройте сайт в панели.'],
  ['zh', '@', '该域名已注册，尚未绑定网站。'],
  ['ja', '@', 'このドメインは、リンドクヴィストで取得されています。'],
  ['ko', '@', '이 도메인은 린드크비스트에 등록되어 있습니다.', '연결된 사이트가 없습니다.'],
  ['tr', '@', 'Bu alan adı bir müşterimiz adına tescil edilmiştir.'],
  ['sv', '@', 'Den här domänen är parkerad hos Lindqvist.'],
  ['da', '@', 'Domænet @ er registreret, men ejeren har ingen aktiv hjemmeside.'],
]

const ENDED: readonly (readonly [lang: string, title: string, ...lines: string[]])[] = [
  ['en', '@', 'This domain has expired.', 'Are you the owner of this domain? Renew it in your account.'],
  ['en', 'Suspended', 'The domain @ has been suspended because its contact data was not verified.'],
  ['de', '@', 'Diese Domain ist abgelaufen und wird bald gelöscht.'],
  ['fr', '@', 'Ce nom de domaine a expiré.', 'Si vous êtes le titulaire du nom de domaine, renouvelez-le.'],
  ['es', '@', 'El dominio @ ha caducado.'],
  ['it', '@', 'Questo dominio è scaduto.'],
  ['nl', '@', 'Deze domeinnaam is verlopen.'],
  ['pl', '@', 'Domena @ wygasła.'],
  ['ru', '@', 'Срок регистрации домена истёк.'],
  ['zh', '@', '该域名已过期，请尽快续费。'],
  ['tr', '@', 'Bu alan adının süresi dolmuştur.'],
  ['pt', '@', 'Este domínio expirou.'],
]

const NAMES = [
  'amber-quill',
  'stillwater',
  'kornblume',
  'petit-phare',
  'sol-y-nieve',
  'ventolin-blu',
  'molen-aan-zee',
  'brisa-leve',
  'zielony-most',
  'tihaya-reka',
]
const hostOf = (at: number, lang: string) => `${NAMES[at % NAMES.length]}-${lang}${at}.example`

function pages(sentences: typeof FOR_SALE, layout: (host: string, lines: string[], lang: string) => string): Draft[] {
  return sentences.map(([lang, title, ...lines], at) => {
    const host = hostOf(at, lang)
    const name = (text: string) => text.replaceAll('@', host)
    return { host, html: document(name(title), layout(host, lines.map(name), lang), { lang }) }
  })
}

/** A lander with a form, prices and trust seals, as sellers build them. */
const lander = (host: string, title: string, heading: string, price: string, reasons: string): string =>
  document(
    title,
    `<div class="hero"><h1>${heading}</h1><div class="price">${price}</div><form action="/offer" method="post"><input name="name" placeholder="Name"><input name="email"><textarea name="message"></textarea><button>OK</button></form></div><section class="why">${reasons}</section><footer>© 2026 <a href="/privacy">Privacy</a> <a href="/terms">Terms</a></footer>`,
    {
      head: `<meta name="description" content="${heading}"><script type="application/ld+json">{"@type":"Product","name":"${host}"}</script>`,
    },
  )

export const TEXT_FAMILIES: readonly Maker[] = [
  [
    'for sale in words, centred',
    () =>
      pages(
        FOR_SALE.filter((_, at) => at % 2 === 0),
        (host, lines) =>
          `<div style="text-align:center;margin-top:20vh"><h1>${host}</h1>${lines.map((line) => `<p>${line}</p>`).join('\n')}<p><a href="mailto:names@lindqvist.example">names@lindqvist.example</a></p></div>`,
      ),
  ],
  [
    'for sale in words, in a table',
    () =>
      pages(
        FOR_SALE.filter((_, at) => at % 2 === 1),
        (_, lines) =>
          `<TABLE WIDTH="100%"><TR><TD ALIGN="center"><FONT SIZE="5"><B>${lines[0]}</B></FONT><BR><BR>${lines.slice(1).join('<BR>')}</TD></TR></TABLE>`,
      ),
  ],
  [
    'a placeholder of a registrar',
    () =>
      pages(
        PLACEHOLDERS.filter((_, at) => at % 2 === 0),
        (host, lines) =>
          `<header><img src="/logo.png" alt="Lindqvist"></header><main><h1>${host}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}<a class="btn" href="https://lindqvist.example/domains">Domains</a> <a href="https://lindqvist.example/hosting">Hosting</a></main>`,
      ),
  ],
  [
    'a placeholder with offers of the registrar',
    () =>
      pages(
        PLACEHOLDERS.filter((_, at) => at % 2 === 1),
        (_, lines) =>
          `<div class="top"><a href="https://lindqvist.example/">Lindqvist</a></div><h2>${lines[0]}</h2>${lines
            .slice(1)
            .map((line) => `<p>${line}</p>`)
            .join(
              '',
            )}<div class="grid"><div><h3>Mail</h3><p>From 1.99 a month</p></div><div><h3>Hosting</h3><p>Fast and green, with backups every night</p></div><div><h3>Website builder</h3><p>No code, thirty designs</p></div></div>`,
      ),
  ],
  [
    'expired or suspended',
    () =>
      pages(
        ENDED,
        (host, lines) => `<div id="wrap"><h1>${host}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}</div>`,
      ),
  ],
  [
    'a lander of the seller, long',
    () =>
      (
        [
          ['granite-fox.example', '@ is for sale', 'Own @ today', 'USD 4,800', 'A short name is easy to remember. '],
          [
            'wolkenlos.example',
            '@ steht zum Verkauf',
            '@ – diese Domain können Sie kaufen',
            '1.950 EUR',
            'Ein guter Name bleibt im Kopf. ',
          ],
          ['belle-plume.example', '@ est à vendre', 'Achetez ce nom de domaine', '900 EUR', 'Un bon nom se retient. '],
          ['lobo-gris.example', '@ está a la venta', 'Compre este dominio', '700 EUR', 'Un buen nombre se recuerda. '],
          [
            'stella-alpina.example',
            '@ è in vendita',
            'Acquista questo dominio',
            '650 EUR',
            'Un buon nome resta in mente. ',
          ],
        ] as const
      ).map(([host, title, heading, price, reason]) => ({
        host,
        html: lander(
          host,
          title.replace('@', host),
          heading.replace('@', host),
          price,
          `<p>${reason.repeat(chooser(host).number(14, 26))}</p>`,
        ),
      })),
  ],
  [
    'a brandable name at its studio',
    () =>
      ['zuvela.example', 'brimora.example'].map((host) => ({
        host,
        html: document(
          `${host} - Premium Domain For Sale`,
          `<div class="lander"><h1>${host}</h1><h3>The domain name ${host} is available for purchase</h3><a class="buy" href="https://www.brandbucket.com/names/${host.split('.')[0]}?source=ext">View at the shop</a><p>Inquire about this domain. Escrow included.</p></div>`,
        ),
      })),
  ],
  [
    'a link to the sale, in few words',
    () =>
      ['oak-ladder.example', 'sand-compass.example'].map((host, at) => ({
        host,
        html: document(
          host,
          `<h1>${host}</h1><p><a href="${at === 0 ? `https://sedo.com/search/details/?domain=${host}` : `https://www.afternic.com/forsale/${host}`}">${at === 0 ? 'Buy now' : 'Request price'}</a></p>`,
        ),
      })),
  ],
]

import { document, navigation, prose, type Draft } from './making.ts'

type Maker = readonly [family: string, drafts: () => Draft[]]
type Entry = readonly [host: string, title: string, body: string, more?: Partial<Draft>]

const pages =
  (...entries: Entry[]) =>
  (): Draft[] =>
    entries.map(([label, title, body, more]) => ({
      host: label.includes('.') ? label : `${label}.example`,
      html: document(title, body),
      ...more,
    }))
const rows = (count: number, row: (at: number) => string) => Array.from({ length: count }, (_, at) => row(at)).join('')

/** Sites in use that mention sales, domains and parking: likely false positives. */
export const TEMPTING_FAMILIES: readonly Maker[] = [
  [
    'houses for sale',
    pages(
      [
        'homes-of-holm',
        'Homes of Holm | Houses for sale',
        `${navigation(8)}<h1>Houses for sale in Holm</h1>${rows(10, (at) => `<div><a href="/house/${at}">Three bedrooms, garden</a> For sale: ${at}20,000</div>`)}`,
      ],
      [
        'domaine-du-lac',
        'Domaine viticole à vendre – Sud Immobilier',
        `${navigation(5)}<h1>Domaine viticole à vendre</h1><p>Ce domaine de douze hectares dispose d'un parking et d'une cave. ${prose('domaine', 160)}</p>`,
      ],
      [
        'pisos-del-mar',
        'Pisos en venta',
        `${navigation(6)}<h1>Pisos en venta en la costa</h1>${rows(8, (at) => `<p><a href="/piso/${at}">Piso ${at}</a> en venta, pleno dominio</p>`)}`,
      ],
      [
        'for-sale-by-nils',
        'Cabin for sale',
        `<h1>Cabin for sale</h1><p>My cabin by the lake is for sale. Two rooms, a stove, a boat. Make an offer: nils@for-sale-by-nils.example</p>`,
      ],
    ),
  ],
  [
    'cars for sale',
    pages(
      [
        'carsforsale-holm',
        'Used cars for sale - carsforsale-holm.example',
        `${navigation(6)}<h1>Used cars for sale</h1>${rows(12, (at) => `<p><a href="/car/${at}">Estate car ${at}</a> $ ${at + 4},500</p>`)}`,
      ],
      [
        'boot-boerse',
        'Boote zu verkaufen | boot-boerse.example',
        `${navigation(5)}<h1>Gebrauchte Boote zu verkaufen</h1>${rows(9, (at) => `<p><a href="/boot/${at}">Segelboot ${at}</a> steht zum Verkauf</p>`)}`,
      ],
      [
        'one-old-bus',
        'For sale: one old bus',
        `<h1>For sale: one old bus</h1><p>She runs. Price on request. Call 020 555 0199.</p><img src="/bus1.jpg"><img src="/bus2.jpg">`,
      ],
    ),
  ],
  [
    'a parking company',
    pages(
      [
        'park-and-glide',
        'Park & Glide – airport parking',
        `${navigation(7)}<h1>Airport parking</h1><p>Your car is parked within sight of the terminal. Book a parking space today. ${prose('parking', 90)}</p>`,
      ],
      [
        'parkhaus-mitte',
        'Parkhaus Mitte',
        `<h1>Parkhaus Mitte</h1><p>Hier parken Sie bequem. Ihr Auto ist sicher geparkt. Einfahrt Tag und Nacht.</p><a href="/tarife">Tarife</a>`,
      ],
      [
        'where-i-parked',
        'Where I parked',
        `<div id="app"><h1>Where I parked</h1><p>Remember where you parked. Free for phones.</p><a href="https://apps.example/get">Get the app</a></div>`,
      ],
    ),
  ],
  [
    'a park to visit',
    pages(
      [
        'fen-national-park',
        'Fen National Park',
        `${navigation(9)}<h1>Fen National Park</h1><p>${prose('fen', 140)}</p>`,
      ],
      [
        'parc-des-loups',
        'Parc des Loups',
        `<h1>Parc des Loups</h1><p>Parking gratuit. Ouvert tous les jours. ${prose('loups', 40)}</p><a href="/tarifs">Tarifs</a><a href="/acces">Accès</a>`,
      ],
    ),
  ],
  [
    'a broker’s own site',
    pages(
      [
        'lindqvist-brokers',
        'Lindqvist – domain brokers',
        `${navigation(9)}<h1>Premium domains for sale</h1><p>We sell and buy domain names for our clients. ${prose('broker', 240)}</p>${rows(20, (at) => `<div><a href="/names/name-${at}">name-${at}.example</a> for sale $ ${at},900 <a href="/offer/${at}">Make an offer</a></div>`)}`,
      ],
      [
        'namen-kontor',
        'Namen-Kontor – Domains kaufen und verkaufen',
        `${navigation(10)}<h1>Domains zu verkaufen</h1><p>Wir vermitteln Domainnamen. ${prose('kontor', 260)}</p>${rows(15, (at) => `<a href="/domain/${at}">Domain ${at} kaufen</a>`)}`,
      ],
    ),
  ],
  [
    'a marketplace’s own site',
    pages(
      [
        'hugedomains.com',
        'HugeDomains - Shop for over 300,000 Premium Domains',
        `${navigation(10)}<h1>Find the domain name you have been looking for</h1><p>${prose('huge', 200)}</p>${rows(20, (at) => `<a href="/domain_profile.cfm?d=name${at}.example">name${at}.example</a>`)}${rows(8, (at) => `<a href="/category/${at}">Category ${at}</a>`)}`,
        { nameservers: ['ns1.hugedomains.com'] },
      ],
      [
        'sedo.com',
        'Buy Domains, Sell Domains, Park Domains',
        `${navigation(12)}<h1>The world’s domain marketplace</h1><p>Buy a domain or sell yours. This domain parking works for you. ${prose('sedo', 260)}</p>${rows(14, (at) => `<a href="/us/page-${at}">Page ${at}</a>`)}`,
      ],
    ),
  ],
  [
    'a registrar’s own home page',
    pages(
      [
        'lindqvist-names',
        'Lindqvist Names – register your domain',
        `${navigation(12)}<h1>Find your domain name</h1><form><input placeholder="Search for a domain"></form><p>Buy a domain, get mail and hosting. Already registered? Transfer it. ${prose('registrar', 200)}</p>`,
      ],
      [
        'domeny-dla-ciebie',
        'Rejestracja domen',
        `${navigation(10)}<h1>Kup domenę</h1><p>Domeny od 9 zł. Hosting. Poczta. ${prose('domeny', 180)}</p>`,
      ],
      [
        'imya-ru',
        'Регистрация доменов',
        `${navigation(9)}<h1>Купить домен</h1><p>Домены, хостинг, почта. ${prose('imya', 150)}</p>`,
      ],
      [
        'godaddy.com',
        'Domain Names, Websites, Hosting',
        `${navigation(14)}<h1>Get a domain</h1><p>Buy this domain and that one. ${prose('gd', 220)}</p><script src="https://img1.wsimg.com/traffic-assets/js/tccl.min.js"></script>`,
      ],
    ),
  ],
  [
    'a blog about domains',
    pages(
      [
        'name-notes',
        'Voice.example is for sale again – Name Notes',
        `${navigation(8)}<article><h1>Voice.example is for sale again</h1><p>This domain is for sale for the third time. The domain name has expired twice, and was parked by its owner for years. ${prose('notes', 420)}</p></article>`,
      ],
      [
        'domain-digest',
        'What is a parked domain?',
        `${navigation(6)}<article><h1>What is a parked domain?</h1><p>A page that says "this domain is for sale" or "buy this domain" is parked. ${prose('digest', 380)}</p><pre>&lt;html data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDrp2lz7AOmADaN8tA50LsWcjLF"&gt; www.google.com/adsense/domains/caf.js</pre></article>`,
      ],
      [
        'zonefile-diary',
        'How I caught an expired domain',
        `<article><h1>How I caught an expired domain</h1><p>The domain had expired and was on auction. ${prose('zone', 620)}</p></article>`,
      ],
    ),
  ],
  [
    'news that mention a sale',
    pages(
      [
        'harbour-post',
        'Harbour Post',
        `${navigation(12)}<article><h1>The old mill is for sale</h1><p>The council said the mill is for sale, and the domain around it with it. ${prose('mill', 300)}</p></article>`,
      ],
      [
        'tech-weekly',
        'Tech Weekly',
        `${navigation(10)}${rows(6, (at) => `<article><h2><a href="/story/${at}">Startup bought the domain name for two million</a></h2><p>${prose(`tw${at}`, 60)}</p></article>`)}`,
      ],
    ),
  ],
  [
    'selling another name on the side',
    pages(
      [
        'petra-codes',
        'Petra codes',
        `<h1>Petra</h1><p>${prose('petra', 90)}</p><p>I also have some spare domains for sale: kettle-and-fern.example, moss-radio.example.</p><a href="/posts">Posts</a><a href="/now">Now</a>`,
      ],
      [
        'old-forum',
        'Old Forum – boards',
        `${navigation(7)}${rows(12, (at) => `<p><a href="/thread/${at}">${prose(`of${at}`, 7)}</a></p>`)}<footer>This domain is for sale, ask the admin. ${prose('forum', 200)}</footer>`,
      ],
    ),
  ],
  [
    'a domain in another sense',
    pages(
      [
        'chateau-brume',
        'Château Brume',
        `<h1>Château Brume</h1><p>Ce domaine est cultivé depuis 1820. Le parking est réservé aux visiteurs. ${prose('brume', 70)}</p><a href="/vins">Vins</a><a href="/visites">Visites</a>`,
      ],
      [
        'public-domain-songs',
        'Songs in the public domain',
        `${navigation(4)}<h1>Songs in the public domain</h1><p>${prose('songs', 160)}</p>`,
      ],
      [
        'protein-atlas-fen',
        'Domain browser',
        `<h1>Domain families</h1><p>The domain is registered in the atlas under its family. ${prose('protein', 80)}</p>${rows(9, (at) => `<a href="/family/${at}">Family ${at}</a>`)}`,
      ],
    ),
  ],
  [
    'registered, expired and reserved things',
    pages(
      [
        'river-trust',
        'River Trust',
        `${navigation(5)}<h1>River Trust</h1><p>${prose('river', 80)}</p><footer>River Trust is registered with the Charity Commission. river-trust.example is a registered trademark. All rights reserved.</footer>`,
      ],
      [
        'session-desk',
        'Session expired',
        '<h1>Session expired</h1><p>Your session has expired. Please sign in again.</p><form><input><button>Sign in</button></form>',
      ],
      [
        'cert-watch',
        'Cert Watch',
        `<h1>Know when a certificate or a domain expires</h1><p>We write to you before your domain has expired. ${prose('cert', 60)}</p><a href="/signup">Sign up</a><a href="/pricing">Pricing</a><a href="/docs">Docs</a><a href="/status">Status</a>`,
      ],
    ),
  ],
  [
    'a name that is a word with its ending',
    pages(
      [
        'park.ing',
        'park.ing – find a space',
        `<h1>park.ing</h1><p>Tell us where you go and we find the space. ${prose('ing', 40)}</p><a href="/map">Map</a><a href="/owners">For owners</a>`,
      ],
      [
        'homes.forsale',
        'homes.forsale: for sale and for rent',
        `${navigation(6)}<h1>Homes for sale and for rent</h1>${rows(8, (at) => `<a href="/h/${at}">House ${at} for sale</a>`)}`,
      ],
      [
        'del.icio.example',
        'del.icio',
        `<h1>Recipes</h1><p>${prose('delicio', 60)}</p><a href="/r/1">Soup</a><a href="/r/2">Bread</a>`,
      ],
    ),
  ],
  [
    'a tool for domains',
    pages(
      [
        'whois-window',
        'Whois Window',
        `<h1>Who owns this domain?</h1><form><input name="q" placeholder="example.com"><button>Look up</button></form><p>See when a name was registered and when it ends. ${prose('whois', 50)}</p><a href="/api">API</a><a href="/about">About</a>`,
      ],
      [
        'offer-desk',
        'Offer Desk – send quotes',
        `<h1>Make an offer in minutes</h1><p>${prose('offer', 70)}</p><a href="/pricing">Pricing</a><a href="/login">Log in</a>`,
      ],
    ),
  ],
  [
    'an auction house and classifieds',
    pages(
      [
        'gavel-and-sons',
        'Gavel & Sons – auctions',
        `${navigation(8)}<h1>Place a bid</h1><p>${prose('gavel', 150)}</p>`,
      ],
      [
        'klein-anzeigen-nord',
        'Kleinanzeigen Nord',
        `${navigation(7)}${rows(14, (at) => `<p><a href="/anzeige/${at}">Fahrrad ${at}</a> zu verkaufen, Angebot abgeben</p>`)}`,
      ],
    ),
  ],
]

import type { Page } from '../../sandbox/engine-shapes.ts'
import type { Random } from '../../src/kernel/random.ts'
import type { Tongue } from './tongues.ts'

/** A name, its form in a host name, and which of the two sets of wordings it gets; the second set is held out. */
type Subject = { readonly name: string; readonly slug: string; readonly tongue: Tongue; readonly isHeldOut: boolean }

/** A business or a post: host or URL, title and snippet. */
type Template = readonly [host: string, title: string, snippet: string]

const BUSINESSES: Readonly<Record<string, readonly [tuned: readonly Template[], heldOut: readonly Template[]]>> = {
  en: [
    [
      ['resort', '{} Resort & Spa – Official Site', 'Rooms with a view, two pools and a sauna. Book direct.'],
      ['bank', '{} Bank | Personal and business banking', 'Open an account in minutes. Member of the deposit scheme.'],
      ['restaurant', '{} Restaurant, Norbridge - Menu & Reviews', 'See the menu, photos and what guests say.'],
      ['dental', '{} Dental Clinic', 'New patients welcome. Call for an appointment.'],
    ],
    [
      ['hotel', 'Hotel {} in Ellery, rates from 89', 'Breakfast included, parking on site.'],
      ['brewing', '{} Brewing Co. - Craft beer since 2011', 'Visit the taproom by the canal.'],
      ['insurance', 'The {} Insurance Group', 'Cover for homes, boats and small firms.'],
      ['academy', '{} Academy: Home', 'Enrolment for the coming year is open.'],
    ],
  ],
  de: [
    [
      ['hotel', 'Hotel {} – Zimmer am See', 'Frühstück, Sauna und freie Parkplätze.'],
      ['bank', '{} Bank AG', 'Girokonto, Baufinanzierung, Depot.'],
      ['restaurant', 'Restaurant {} | Speisekarte', 'Montags Ruhetag.'],
    ],
    [
      ['apotheke', '{} Apotheke Altenfurt', 'Notdienst und Vorbestellung.'],
      ['versicherung', '{} Versicherung: Schutz für Familien', 'Termin mit einem Berater.'],
      ['klinik', 'Klinik {} – Orthopädie', 'Sprechzeiten und Anfahrt.'],
    ],
  ],
  fr: [
    [
      ['hotel', 'Hôtel {} – Réservation', 'Chambres calmes près du port.'],
      ['restaurant', 'Restaurant {} : carte et menus', 'Cuisine de saison.'],
      ['assurances', '{} Assurances', 'Devis en ligne.'],
    ],
    [
      ['boulangerie', 'Boulangerie {}', 'Pain au levain tous les matins.'],
      ['pharmacie', 'Pharmacie {} - Valmery', 'Ouverte le dimanche.'],
      ['banque', 'Banque {} | Particuliers', 'Comptes et crédits.'],
    ],
  ],
  es: [
    [
      ['hotel', 'Hotel {} | Reservas', 'Piscina y desayuno.'],
      ['restaurante', 'Restaurante {} - Carta', 'Terraza con vistas.'],
      ['banco', 'Banco {}: banca en línea', 'Cuentas y tarjetas.'],
    ],
    [
      ['clinica', 'Clínica {}', 'Pida cita por teléfono.'],
      ['panaderia', 'Panadería {} – Valdemora', 'Pan de horno de leña.'],
      ['seguros', '{} Seguros', 'Coche, hogar y vida.'],
    ],
  ],
}
const LISTINGS = ['www.tripadvisor.com/Review', 'townguide.example/place', 'www.openrice-like.example/r']

/** Forum posts and questions, in the formats of their URLs and titles. */
const POSTS: readonly [tuned: readonly Template[], heldOut: readonly Template[]] = [
  [
    [
      'forum.wanderlist.example/viewtopic.php?t=%',
      '{} - Page 2 - Wanderlist Forum',
      'Re: {} by harbourcat » Tue May 5',
    ],
    ['www.reddit.com/r/travel/comments/%/x/', 'Has anybody been to {}? : r/travel', '14 votes, 23 comments.'],
    [
      'english.stackexchange.com/questions/%/x',
      'meaning - Where does “{}” come from?',
      'Asked 6 years ago, 3 answers.',
    ],
    ['x.com/harbourcat/status/%', 'harbourcat on X: "{}"', '4 likes, 1 reply.'],
    ['oldboards.example/threads/x.%/', 'Re: {}', 'Joined: Mar 2009. Posts: 214.'],
  ],
  [
    ['community.gardenkit.example/t/x/%', '{} - General - GardenKit Community', '8 replies. Last reply two years ago.'],
    ['www.quora.com/Is-this-%', 'Is {} a good name for a boat? - Quora', '5 answers.'],
    ['boards.regatta.example/showthread.php?%', 'Thread: {}', 'Originally posted by windy.'],
    ['www.facebook.com/groups/%/posts/%', '{} | Village gossip | Facebook', 'Who knows more?'],
    ['news.ycombinator.com/item?id=%', 'Ask HN: {}', '12 points, 7 comments.'],
  ],
]

export function sharedNamePages(subject: Subject, random: Random): Page[] {
  const { name, slug, tongue, isHeldOut } = subject
  const all = (BUSINESSES[tongue] ?? BUSINESSES['en']!)[isHeldOut ? 1 : 0]
  return shuffled(all, random)
    .slice(0, 3)
    .map(([host, title, snippet], at) => {
      const listing = LISTINGS[random.below(LISTINGS.length)]!
      return {
        title: title.replaceAll('{}', name),
        url:
          at === 0 || random.below(2) === 0
            ? `https://www.${slug}${isHeldOut ? '-' : ''}${host}.com/`
            : `https://${listing}/${slug}-${host}-${random.below(9000)}`,
        snippet,
      }
    })
}

export function forumPages({ name, isHeldOut }: Subject, random: Random): Page[] {
  return shuffled(POSTS[isHeldOut ? 1 : 0], random).map(([url, title, snippet]) => ({
    title: title.replaceAll('{}', name),
    url: `https://${url.replaceAll('%', String(1000 + random.below(90_000)))}`,
    snippet: snippet.replaceAll('{}', name),
  }))
}

const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  all
    .map((one) => ({ one, at: random.fraction() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

import type { STATUSES } from '../../src/presence/contract.ts'
import type { Tongue } from './tongues.ts'

export type Status = (typeof STATUSES)[number]

/** How the web knows a name, and between which statuses a person would put it. */
export const STORIES = {
  /** Nobody ever wrote it: the engines answer with something else. */
  unknown: ['clean', 'clean'],
  /** Somebody's user name, a line in a list. */
  trace: ['clean', 'low'],
  /** Nothing but a domain that waits for a buyer. */
  parked: ['clean', 'low'],
  /** A shop around the corner: its site and an entry or two. */
  small: ['low', 'medium'],
  /** An app or a tool without a site of its own. */
  product: ['medium', 'high'],
  /** A company everybody in its field knows. */
  established: ['high', 'high'],
  /** A person others write about. */
  notable: ['medium', 'high'],
  /** People of that name, none of them known. */
  private: ['low', 'medium'],
  /** A village or a river. */
  place: ['medium', 'high'],
  /** Words of everyday: dictionaries and sentences have them, nobody trades by them. */
  common: ['clean', 'low'],
  /** Words of everyday that a few small firms are called by, among much else. */
  scattered: ['low', 'medium'],
  /** Words of everyday that one company has made its own. */
  dominant: ['high', 'high'],
  /** Words of everyday that several firms of different trades are called by. */
  shared: ['medium', 'high'],
  /** Nothing but forums, questions and posts. */
  chatter: ['clean', 'low'],
} as const satisfies Record<string, readonly [Status, Status]>

export type Story = keyof typeof STORIES
/** The name, how it is known, and for names in other letters how its owners write it in an address. */
export type Labelled = {
  readonly name: string
  readonly story: Story
  readonly tongue: Tongue
  readonly roman?: string
  /** Whether it gets the wordings that were not looked at while the rules were made. */
  readonly isHeldOut?: boolean
}

/** Every second one held out; it stands in the second half, too. */
const alternating = (...all: readonly Labelled[]): Labelled[] =>
  all.map((one, at) => ({ ...one, isHeldOut: at % 2 === 1 }))

const english = (story: Story, ...names: string[]): Labelled[] => names.map((name) => ({ name, story, tongue: 'en' }))
const foreign = (tongue: Tongue, name: string, story: Story, roman: string): Labelled => ({
  name,
  story,
  tongue,
  roman,
})

/** All invented; where one is somebody's in truth, that is chance. */
export const LABELLED: readonly Labelled[] = [
  ...english(
    'unknown',
    'Qorvintha',
    'Zelphomir',
    'brindlewoxx',
    'Ulmaquist Ferrow',
    'Tavokko',
    'xq7-vendrax',
    'Pelluvienne',
    'Grontavi 88',
    'KZQW',
    'Nimborath Sule',
  ),
  ...english(
    'trace',
    'Veskatron',
    'mollibrant',
    'Ostrelyne',
    'Jaxxipoor',
    'Lunthabee',
    'drovex-12',
    'Quillomar',
    'Fennadrix',
  ),
  ...english('parked', 'Zuntaro', 'Wexilade', 'cloudparsnip', 'Orbatune', 'Mivvox'),
  ...english(
    'small',
    'Brackenhollow Joinery',
    'Tidewynn Bakery',
    'Morvalla',
    'Petrichor & Pine',
    "O'Drellan Motors",
    'Kestrelgate Dental',
    'Lumivant',
    '4Corvids',
    'Hob-Lantern',
    'Saltmarrow',
  ),
  ...english('product', 'Tasklorry', 'Gridpenna', 'Sonquill', 'pixelferret', 'Notewhal', 'Driftboxer 3', 'Calmoodle'),
  ...english(
    'established',
    'Vantorix',
    'Ellumera',
    'Novaquist',
    'Trellobank',
    'Astrivo',
    'Kalyptra Health',
    'Ferrowave',
    'Zenthermo',
    'Q-Dynex',
    'Meridova',
    'Ovelle',
    '9Lyra',
  ),
  ...english(
    'notable',
    'Mira Talvane',
    'Osric Benholt',
    'Adaeze Okwuru',
    'Tomas Lindqvarn',
    'Séverine Malcourt',
    'Juno Hartsel-Wray',
  ),
  ...english('private', 'Colm Breavick', 'Ines Dovrault', 'Hattie Umberlow', 'Per-Olof Stennquist'),
  ...english('place', 'Skarnholme', 'Lower Penwithiel', 'Draumsund', 'Vallorcine-sur-Orge'),
  ...english(
    'common',
    'leaf',
    'quiet morning',
    'bridge',
    'garden path',
    'running water',
    'wooden table',
    'winter',
    'the long road',
    'paper',
  ),
  ...english(
    'scattered',
    'green leaf',
    'blue river',
    'golden gate cafe',
    'silver stone',
    'greenleaf',
    'north star',
    'happy home',
    'ABT',
    'first choice',
    '365',
  ),
  ...english('dominant', 'orchard', 'anchor', 'parcel', 'signal', 'clover', 'TKX', 'open field', 'sunrise'),
  foreign('de', 'Bäckerei Wöllmann', 'small', 'baeckerei-woellmann'),
  foreign('de', 'Strüvenkamp', 'established', 'struevenkamp'),
  foreign('de', 'Knötterbüx', 'unknown', 'knoetterbuex'),
  foreign('fr', 'Maison Clairvaudé', 'small', 'maison-clairvaude'),
  foreign('fr', 'Éclatéa', 'established', 'eclatea'),
  foreign('es', 'Peñalverde', 'established', 'penalverde'),
  foreign('es', 'Corazul', 'trace', 'corazul'),
  foreign('ru', 'Зелёный Мыс', 'small', 'zelenymys'),
  foreign('ru', 'Велтрония', 'established', 'veltronia'),
  foreign('ru', 'Кромзурик', 'unknown', 'kromzurik'),
  foreign('ru', 'Чайкарова', 'trace', 'chaikarova'),
  foreign('zh', '云栎堂', 'established', 'yunlitang'),
  foreign('zh', '墨鲸科技', 'small', 'mojing'),
  foreign('zh', '霜蔓溯', 'unknown', 'shuangmansu'),
  foreign('ja', '桜庵堂', 'established', 'sakuraando'),
  foreign('ja', 'ミナヅル', 'small', 'minazuru'),
  foreign('ja', 'ホロヌキ', 'unknown', 'horonuki'),
  foreign('ja', '月代 蓮太郎', 'notable', 'tsukishiro'),
  foreign('ko', '하늘벼루', 'established', 'haneulbyeoru'),
  foreign('ko', '솔누리', 'small', 'solnuri'),
  foreign('ko', '뭉턱솝', 'unknown', 'mungteoksop'),
  foreign('ar', 'نخيل الدار', 'small', 'nakheelaldar'),
  foreign('ar', 'زمرودة', 'established', 'zumrouda'),
  foreign('ar', 'قرطنوب', 'unknown', 'qartanub'),
  foreign('th', 'ใบบัวทอง', 'small', 'baibuathong'),
  foreign('th', 'วิมานเมฆา', 'established', 'wimanmekha'),
  // Makes the number even, so that those held out below are in the second half.
  ...english('common', 'window seat'),
  ...alternating(
    ...english('shared', 'blue lagoon', 'silver creek', 'golden harbor', 'white stone', 'green valley', 'red maple'),
    foreign('de', 'Grüner Berg', 'shared', 'gruenerberg'),
    foreign('de', 'Alte Mühle', 'shared', 'altemuehle'),
    foreign('fr', 'Belle Rive', 'shared', 'bellerive'),
    foreign('fr', 'Mont Clair', 'shared', 'montclair'),
    foreign('es', 'Monte Azul', 'shared', 'monteazul'),
    foreign('es', 'Puerto Claro', 'shared', 'puertoclaro'),
    ...english(
      'chatter',
      'lazy river',
      'paper lantern',
      'midnight train',
      'copper kettle',
      'broken arrow',
      'lucky penny',
      'hollow tree',
      'salty dog',
      'rolling thunder',
      'cold brew',
      'yellow brick',
      'second wind',
    ),
  ),
]

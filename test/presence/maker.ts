import type { Page } from '../../sandbox/engine-shapes.ts'
import type { Random } from '../../src/kernel/random.ts'
import { chatterPages, sharedPages } from './maker-shared.ts'
import type { Labelled, Story } from './names.ts'
import { TONGUES } from './tongues.ts'

const PAPERS = [
  'ellery-post.example',
  'northern-ledger.example',
  'daily-quay.example',
  'coastwire.example',
  'marktblatt.example',
]
const BOARDS = ['talkshed.example', 'fleaforum.example', 'oldboards.example', 'regatta-lists.example']
const BLOGS = [
  'kitchen-notes.example',
  'slowtrails.example',
  'the-porch.example',
  'homecraft.example',
  'valleyblog.example',
  'teatimes.example',
  'fieldnotes.example',
]

/** Writes the pages that the web has about a name of this story; most telling first, as engines have them. */
export function pagesFor({ name, story, tongue, roman, isHeldOut = false }: Labelled, chance: Random): Page[] {
  const phrases = TONGUES[tongue]
  const slug =
    roman ??
    name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]+/g, '')
      .toLowerCase()
  const dashed = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  const pick = <T>(all: readonly T[]): T => all[chance.below(all.length)]!
  const say = (all: readonly string[]) => pick(all).replaceAll('{}', name)
  const page = (host: string, path: string, title: string, snippet: string): Page => ({
    title,
    url: `https://${host}/${path}`,
    snippet,
  })
  const number = () => 1000 + chance.below(9000)

  const own = () => {
    const tld = pick(tongue === 'en' ? ['com', 'com', 'co.uk', 'io'] : ['com', 'net'])
    return page(`www.${slug}.${tld}`, '', say(phrases.home), say(phrases.makes))
  }
  const about = () => page(`${slug}.com`, `about-${number()}`, `${name} | About us`, say(phrases.makes))
  const entry = () =>
    pick([
      () => page('www.linkedin.com', `company/${slug}`, `${name} | LinkedIn`, say(phrases.makes)),
      () => page('www.crunchbase.com', `organization/${slug}`, say(phrases.entry), say(phrases.company)),
      () => page('www.yelp.com', `biz/${slug}-${number()}`, say(phrases.entry), 'Photos, address, telephone.'),
      () => page('www.northdata.com', `${slug}-${number()}`, say(phrases.entry), 'Register, balance sheet, managers.'),
    ])()
  const handle = () =>
    pick([
      () =>
        page(
          'www.instagram.com',
          `${slug.replaceAll('-', '')}/`,
          `${name} (@${slug}) • Photos`,
          'Followers, following, posts.',
        ),
      () => page('x.com', slug.replaceAll('-', '').slice(0, 15), `${name} (@${slug}) / X`, 'News from us.'),
      () =>
        page('www.youtube.com', `@${slug.replaceAll('-', '')}`, `${name} - YouTube`, 'Share your videos with friends.'),
      () => page('www.facebook.com', slug.replaceAll('-', ''), `${name} | Facebook`, 'Likes, talking about this.'),
    ])()
  const encyclopaedia = () =>
    page(`${tongue}.wikipedia.org`, `wiki/${encodeURIComponent(name)}`, `${name} - Wikipedia`, say(phrases.company))
  const news = () =>
    page(pick(PAPERS), `${chance.below(12) + 1}/${number()}`, say(phrases.news), `Our correspondent on ${name}.`)
  const mention = () => page(pick(BOARDS), `t/${number()}`, say(phrases.mention), 'Posted a while ago, two replies.')
  const aside = () =>
    page(pick(BLOGS), `p/${number()}`, pick(phrases.noise), `… and somebody called it ${name}, as a joke.`)
  const noise = () => page(pick([...BLOGS, ...PAPERS]), `${number()}`, pick(phrases.noise), pick(phrases.noise))
  const store = () =>
    pick([
      () =>
        page(
          'apps.apple.com',
          `us/app/${slug}/id${number()}`,
          `${name} on the App Store`,
          'Download the app. Ratings and reviews.',
        ),
      () =>
        page(
          'play.google.com',
          `store/apps/details?id=net.maker.${slug}`,
          `${name} - Apps on Google Play`,
          'Install and enjoy.',
        ),
      () => page('www.producthunt.com', `products/${slug}`, `${name} - Reviews, alternatives`, 'What makers think.'),
      () => page('www.npmjs.com', `package/${slug}`, `${slug} - npm`, 'Start using it in your project.'),
    ])()
  const verdict = () =>
    page(
      pick(BLOGS),
      `${slug}-${number()}`,
      pick([`${name} review: a month later`, `Five tools like ${name}`, `How to use ${name} with a calendar`]),
      `What we think of ${name}.`,
    )
  const word = () =>
    pick([
      () =>
        page(
          'www.merriam-webster.com',
          `dictionary/${dashed}`,
          `${name} Definition & Meaning`,
          'The meaning and how to use it in a sentence.',
        ),
      () => page('en.wiktionary.org', `wiki/${dashed}`, `${name} - Wiktionary`, 'Etymology, pronunciation, noun.'),
      () => page('www.vocabulary.com', `dictionary/${dashed}`, `${name} - definition`, 'Dictionary definition.'),
      () =>
        page(
          'en.wikipedia.org',
          `wiki/${dashed}`,
          `${name} - Wikipedia`,
          'From the encyclopedia: a thing known to all.',
        ),
    ])()
  const sentence = () =>
    page(
      pick(BLOGS),
      `${number()}`,
      pick([
        `What ${name} taught me about patience`,
        `A poem of ${name} and rain`,
        `12 pictures with ${name} in them`,
        `Drawing ${name} step by step`,
        `Is ${name} good for you?`,
        `My ${name} project, part two`,
      ]),
      `Some thoughts on ${name}.`,
    )
  const namesake = () => {
    const more = pick(['cafe', 'garden', 'dental', 'landscaping', 'books', 'yoga'])
    const town = pick(['Ellery', 'Norbridge', 'Westmoor', 'Dunhallow'])
    return pick([
      () => page(`${slug}${more}.com`, '', `${name} ${more} in ${town}`, 'Family business, call us.'),
      () =>
        page(
          'www.yelp.com',
          `biz/${slug}-${more}-${number()}`,
          `${name} ${more} - ${town}`,
          'Photos and opening hours.',
        ),
      () =>
        page(
          'opencorporates.com',
          `companies/xx/${number()}`,
          `${name.toUpperCase()} LLC`,
          'Active, incorporated, registered address.',
        ),
    ])()
  }
  const person = () =>
    page(
      `${tongue}.wikipedia.org`,
      `wiki/${encodeURIComponent(name)}`,
      `${name} - Wikipedia`,
      tongue === 'ja'
        ? `${name}は、日本の小説家。1961年4月2日生まれ。`
        : `${name} (born 4 May 1961) is a ${pick(['Danish film director', 'Scottish novelist', 'Nigerian physicist', 'French singer'])}.`,
    )
  const portrait = () =>
    page(
      pick(PAPERS),
      `${number()}`,
      pick([
        `${name}: “I never planned it”`,
        `An evening with ${name}`,
        `${name} wins the Halloran Prize`,
        `${name} on growing up by the sea`,
      ]),
      `An interview with ${name}.`,
    )
  const profile = () =>
    page(
      'www.linkedin.com',
      `in/${dashed}-${number()}ab`,
      `${name} - Accountant - Harbour Works`,
      'View the profile on the network.',
    )
  const listed = () =>
    page(
      pick(BOARDS),
      `${number()}`,
      pick([`Half marathon results: ${name}, 1:52`, `Class of 1998: ${name}`, `Obituary of ${name}, aged 91`]),
      'Names and times.',
    )
  const sights = () =>
    page(
      pick([...PAPERS, ...BLOGS]),
      `${number()}`,
      pick([
        `Things to do in ${name}`,
        `Weather in ${name} today`,
        `Hotels near ${name}`,
        `Map of ${name}`,
        `Walking around ${name}`,
        `History of ${name}`,
        `Bus from ${name} to the coast`,
        `Cottages to rent in ${name}`,
        `${name} parish council`,
        `${name} in old photographs`,
      ]),
      `How to get to ${name}.`,
    )
  const forSale = () =>
    page(`www.${slug}.com`, '', `${slug}.com is for sale`, `The domain name ${slug}.com is available for purchase.`)

  const subject = { name, slug, tongue, isHeldOut }
  type Make = () => Page
  const times = (least: number, most: number, make: Make): Page[] =>
    Array.from({ length: least + chance.below(most - least + 1) }, () => make())
  const scripts: Record<Story, () => Page[]> = {
    unknown: () => [],
    trace: () => [...times(0, 1, noise), ...times(1, 2, mention), ...times(0, 1, aside)],
    parked: () => [forSale(), ...times(0, 1, mention)],
    small: () => [own(), ...times(1, 2, entry), ...times(0, 1, mention)],
    product: () => [...times(2, 3, store), ...times(3, 5, verdict), ...times(0, 2, mention)],
    established: () => [
      own(),
      encyclopaedia(),
      entry(),
      handle(),
      about(),
      ...times(2, 3, news),
      handle(),
      entry(),
      ...times(0, 2, news),
    ],
    notable: () => [person(), ...times(3, 5, portrait), handle(), ...times(1, 3, portrait)],
    private: () => [...times(1, 3, profile), ...times(1, 2, listed), ...times(0, 1, aside)],
    place: () => [
      page(
        'en.wikipedia.org',
        `wiki/${dashed}`,
        `${name} - Wikipedia`,
        'A village on the northern shore, 400 inhabitants.',
      ),
      ...times(6, 9, sights),
    ],
    common: () => [...times(2, 4, word), ...times(3, 6, sentence)],
    scattered: () => [...times(0, 1, own), ...times(2, 4, namesake), ...times(1, 2, word), ...times(2, 4, sentence)],
    dominant: () => [
      own(),
      about(),
      encyclopaedia(),
      entry(),
      handle(),
      ...times(1, 2, news),
      handle(),
      ...times(1, 2, news),
      word(),
    ],
    shared: () => [...sharedPages(subject, chance), ...times(1, 3, sentence), ...times(0, 1, word)],
    chatter: () => [...chatterPages(subject, chance), ...times(0, 2, sentence)],
  }
  const telling = distinct(scripts[story]())
  const rest = distinct(Array.from({ length: 14 }, noise))
  return distinct([...telling, ...rest]).slice(0, 8 + chance.below(5))
}

/** Each title and each address once, as on a page of results. */
function distinct(pages: readonly Page[]): Page[] {
  const [titles, urls] = [new Set<string>(), new Set<string>()]
  return pages.filter(({ title, url }) => {
    const isNew = !titles.has(title) && !urls.has(url)
    titles.add(title)
    urls.add(url)
    return isNew
  })
}

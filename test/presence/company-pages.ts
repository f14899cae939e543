import { BLOGS, NEWSPAPERS, type WritePage } from './page-writer.ts'

/** The home page of a company. */
export const homePage: WritePage = ({ page, pick, say, phrases, slug, tongue }) => {
  const tld = pick(tongue === 'en' ? ['com', 'com', 'co.uk', 'io'] : ['com', 'net'])
  return page(`www.${slug}.${tld}`, '', say(phrases.home), say(phrases.makes))
}

export const aboutPage: WritePage = ({ page, say, number, phrases, slug, name }) =>
  page(`${slug}.com`, `about-${number()}`, `${name} | About us`, say(phrases.makes))

/** An entry in a directory of companies. */
export const directoryEntry: WritePage = ({ page, pick, say, number, phrases, slug, name }) =>
  pick([
    () => page('www.linkedin.com', `company/${slug}`, `${name} | LinkedIn`, say(phrases.makes)),
    () => page('www.crunchbase.com', `organization/${slug}`, say(phrases.entry), say(phrases.company)),
    () => page('www.yelp.com', `biz/${slug}-${number()}`, say(phrases.entry), 'Photos, address, telephone.'),
    () => page('www.northdata.com', `${slug}-${number()}`, say(phrases.entry), 'Register, balance sheet, managers.'),
  ])()

/** An account at a social network. */
export const socialAccount: WritePage = ({ page, pick, slug, name }) => {
  const handle = slug.replaceAll('-', '')
  return pick([
    () => page('www.instagram.com', `${handle}/`, `${name} (@${slug}) • Photos`, 'Followers, following, posts.'),
    () => page('x.com', handle.slice(0, 15), `${name} (@${slug}) / X`, 'News from us.'),
    () => page('www.youtube.com', `@${handle}`, `${name} - YouTube`, 'Share your videos with friends.'),
    () => page('www.facebook.com', handle, `${name} | Facebook`, 'Likes, talking about this.'),
  ])()
}

export const companyArticle: WritePage = ({ page, say, phrases, tongue, name }) =>
  page(`${tongue}.wikipedia.org`, `wiki/${encodeURIComponent(name)}`, `${name} - Wikipedia`, say(phrases.company))

export const companyNews: WritePage = ({ page, pick, say, number, random, phrases, name }) =>
  page(pick(NEWSPAPERS), `${random.below(12) + 1}/${number()}`, say(phrases.news), `Our correspondent on ${name}.`)

/** A listing of an app or a package. */
export const storeListing: WritePage = ({ page, pick, number, slug, name }) =>
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

export const productReview: WritePage = ({ page, pick, number, slug, name }) =>
  page(
    pick(BLOGS),
    `${slug}-${number()}`,
    pick([`${name} review: a month later`, `Five tools like ${name}`, `How to use ${name} with a calendar`]),
    `What we think of ${name}.`,
  )

/** A small business that shares the name. */
export const namesakeBusiness: WritePage = ({ page, pick, number, slug, name }) => {
  const trade = pick(['cafe', 'garden', 'dental', 'landscaping', 'books', 'yoga'])
  const town = pick(['Ellery', 'Norbridge', 'Westmoor', 'Dunhallow'])
  return pick([
    () => page(`${slug}${trade}.com`, '', `${name} ${trade} in ${town}`, 'Family business, call us.'),
    () =>
      page(
        'www.yelp.com',
        `biz/${slug}-${trade}-${number()}`,
        `${name} ${trade} - ${town}`,
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

export const domainForSale: WritePage = ({ page, slug }) =>
  page(`www.${slug}.com`, '', `${slug}.com is for sale`, `The domain name ${slug}.com is available for purchase.`)

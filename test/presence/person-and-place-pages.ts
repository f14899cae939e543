import { BLOGS, FORUMS, NEWSPAPERS, type WritePage } from './page-writer.ts'

export const biography: WritePage = ({ page, pick, tongue, name }) =>
  page(
    `${tongue}.wikipedia.org`,
    `wiki/${encodeURIComponent(name)}`,
    `${name} - Wikipedia`,
    tongue === 'ja'
      ? `${name}は、日本の小説家。1961年4月2日生まれ。`
      : `${name} (born 4 May 1961) is a ${pick(['Danish film director', 'Scottish novelist', 'Nigerian physicist', 'French singer'])}.`,
  )

export const interview: WritePage = ({ page, pick, number, name }) =>
  page(
    pick(NEWSPAPERS),
    `${number()}`,
    pick([
      `${name}: “I never planned it”`,
      `An evening with ${name}`,
      `${name} wins the Halloran Prize`,
      `${name} on growing up by the sea`,
    ]),
    `An interview with ${name}.`,
  )

/** The profile of a private person. */
export const personalProfile: WritePage = ({ page, number, dashed, name }) =>
  page(
    'www.linkedin.com',
    `in/${dashed}-${number()}ab`,
    `${name} - Accountant - Harbour Works`,
    'View the profile on the network.',
  )

/** A list that contains a private person. */
export const listOfNames: WritePage = ({ page, pick, number, name }) =>
  page(
    pick(FORUMS),
    `${number()}`,
    pick([`Half marathon results: ${name}, 1:52`, `Class of 1998: ${name}`, `Obituary of ${name}, aged 91`]),
    'Names and times.',
  )

export const placeArticle: WritePage = ({ page, dashed, name }) =>
  page('en.wikipedia.org', `wiki/${dashed}`, `${name} - Wikipedia`, 'A village on the northern shore, 400 inhabitants.')

export const travelPage: WritePage = ({ page, pick, number, name }) =>
  page(
    pick([...NEWSPAPERS, ...BLOGS]),
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

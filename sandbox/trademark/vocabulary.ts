import type { Random } from '../../src/kernel/random.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words that marks are made of, the most used first. */
const HEAD = list(`
  the and of american home life health group world one care global pro smart star first green international blue gold
  black power sun new best plus city tech house red art design studio food kitchen fresh pure natural water fire light
  music sport club kids baby pet beauty hair skin body love heart good great big little super ultra max mini eco bio net
  cloud data mobile lab works center service network connect link point edge bridge path way street park mountain river
  lake ocean island bay beach coast north south east west royal king queen crown eagle lion tiger wolf bear fox dragon
  phoenix rose oak pine cedar stone rock iron steel silver diamond crystal pearl magic dream vision focus insight capital
  trust legacy heritage classic original premium elite select choice value direct express quick fast easy simple true
  real total perfect safe guard shield force titan atlas apex summit peak prime alpha omega delta nova luna solar terra
  aqua vita bella casa cafe coffee tea wine beer pizza grill burger bakery market store shop outlet brand foods products
  holdings partners academy institute school foundation society league team gear wear apparel shoes boots garden flower
  honey sugar berry apple cherry lemon orange peach maple willow harbor anchor captain sailor pilot ranger hunter scout
  knight castle tower temple palace village valley canyon desert prairie meadow forest jungle thunder storm lightning
  rain snow winter summer spring autumn moon sky cosmos comet rocket engine motor turbo wheel drive ride trail track
  field court arena stage drum guitar piano song voice echo pulse wave signal pixel code byte cyber logic quantum vector
  matrix fusion spark flame ember ash smoke cloudy breeze wind sail feather wing hawk falcon raven owl swan dove crane
  heron salmon trout bass shark whale dolphin turtle frog panda koala monkey zebra horse pony mustang stallion buffalo
  bison cattle lamb goat farm barn harvest grain wheat corn rice bean pepper salt spice ginger garlic basil mint olive
  butter cream milk cheese bread cake cookie candy chocolate vanilla toast snack feast table chef spoon plate cup bottle
  barrel cellar vine grape reserve gift ribbon lace velvet silk cotton linen leather denim jewel ring chain watch clock
  hour minute moment forever always never every only more less open close up down inside beyond above under over after
`)

const SURNAMES = list(`
  abbott barnes caldwell danner ellery farrow gantry hollis ingram jessup kessler larkin maddox norwood osgood pruitt
  quigley redding stroud tillman upshaw vickers wexler yardley zeller ashby bremer corbin dawlish everly fenwick gresham
  haskell irving jarvis kimball lathrop merrick newcomb orton penrose rutledge sewell thackery ulrich varga whitlock
`)
const GIVEN = list(
  `anna ben clara david elena frank grace henry iris james karen louis maria nina oscar paula rosa simon`,
)
const TOWNS = list(`
  boston denver austin tampa reno dayton fresno tulsa mobile salem dover concord lyon bergen porto kyoto busan shenzhen
  ningbo xiamen leeds bristol milan turin ghent basel linz malmo tartu riga
`)

const ONSETS = list(
  `b c d f g h j k l m n p qu r s t v w z bl br ch cl cr dr fl fr gl gr ph pl pr sh sk sl sp st th tr`,
)
const VOWELS = list(`a e i o u a e i o y ai ea ee ie oo ou`)
const CODAS = list(`n r l s t x m d k ck nd ng nt st z`)
const BEGINNINGS = list(
  `neo uni omni tri multi hyper bio geo eco aero hydro medi opti accu dura micro nano my go ez tru nu`,
)
const ENDINGS =
  list(`ify ly io ix ex ium ia ora era on tron gen med tek soft ware zy ant ist us os ax ine let hub bit cast
  flow scape craft mate wise well fit box kit bot`)

export type Vocabulary = {
  /** A word as frequent as its place in the language of marks. */
  word(): string
  /** A word nobody used before, or seldom. */
  coinage(): string
  surname(): string
  givenName(): string
  town(): string
  pick<T>(from: readonly T[]): T
  chance(probability: number): boolean
}

/** So many invented words stand behind the real ones, to give the long tail a register has. */
const TAIL = 20_000
/** Words coined lately, which others use again. */
const REMEMBERED = 100_000

export function createVocabulary(random: Random): Vocabulary {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const chance = (probability: number) => random.fraction() < probability
  const syllable = () => pick(ONSETS) + pick(VOWELS) + (chance(0.6) ? pick(CODAS) : '')
  const invent = () => syllable() + syllable() + (chance(0.35) ? syllable() : '')
  const words = [...new Set(HEAD)]
  while (words.length < TAIL) words.push(invent())
  // Zipf's law, flattened at the head as it is in registers.
  const heights = new Float64Array(words.length)
  let height = 0
  for (let place = 0; place < words.length; place++) heights[place] = height += 1 / (place + 6) ** 0.95
  const word = () => words[firstAbove(heights, random.fraction() * height)]!

  const remembered: string[] = []
  const coin = (): string => {
    const dice = random.fraction()
    if (dice < 0.3) return invent()
    if (dice < 0.55) return syllable() + (chance(0.4) ? syllable() : '') + pick(ENDINGS)
    if (dice < 0.75) return pick(BEGINNINGS) + word()
    if (dice < 0.9) return word() + (chance(0.5) ? word() : pick(ENDINGS))
    return pick(BEGINNINGS) + syllable() + pick(ENDINGS)
  }
  const coinage = (): string => {
    if (remembered.length > 500 && chance(0.4)) return pick(remembered)
    const coined = coin()
    if (remembered.length < REMEMBERED) remembered.push(coined)
    else remembered[random.below(REMEMBERED)] = coined
    return coined
  }
  return {
    word,
    coinage,
    surname: () => pick(SURNAMES),
    givenName: () => pick(GIVEN),
    town: () => pick(TOWNS),
    pick,
    chance,
  }
}

function firstAbove(heights: Float64Array, height: number): number {
  let low = 0
  let high = heights.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (heights[middle]! < height) low = middle + 1
    else high = middle
  }
  return low
}

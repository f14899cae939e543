import type { Random } from '../../src/kernel/random.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How often a class is asked for, and what is sold in it. */
type Wares = { readonly class: string; readonly weight: number; readonly items: readonly string[] }

const wares = (name: string, weight: number, items: string): Wares => ({ class: name, weight, items: items.split('|') })

const WARES: readonly Wares[] = [
  wares('001', 2, 'industrial chemicals|adhesives|fertilizers|unprocessed resins|solvents'),
  wares('002', 1, 'paints|varnishes|printing ink|pigments'),
  wares('003', 5, 'cosmetics|shampoo|skin lotion|perfume|soap|essential oils|nail polish|laundry detergent|lip balm'),
  wares('004', 1, 'candles|motor oil|lubricants|fuel'),
  wares('005', 5, 'pharmaceutical preparations|dietary supplements|vitamins|bandages|disinfectants|herbal supplements'),
  wares('006', 1, 'metal hardware|steel pipes|metal fasteners|metal doors'),
  wares('007', 2, 'power tools|pumps|electric motors|vacuum cleaners|washing machines'),
  wares('008', 1, 'hand tools|knives|razors|scissors|cutlery'),
  wares(
    '009',
    16,
    'computer software|downloadable mobile applications|computer hardware|headphones|batteries|cameras|sensors|eyeglasses|phone cases|audio speakers|chargers|video game software|smart watches',
  ),
  wares('010', 2, 'medical devices|surgical instruments|hearing aids|thermometers|massage apparatus'),
  wares('011', 2, 'lamps|LED light bulbs|air conditioners|ovens|water filters|flashlights'),
  wares('012', 2, 'automobiles|bicycles|tires|electric vehicles|boats|strollers'),
  wares('013', 0.2, 'fireworks|holsters|ammunition'),
  wares('014', 2, 'jewelry|watches|rings|necklaces|clocks'),
  wares('015', 0.4, 'musical instruments|guitars|drums|pianos'),
  wares('016', 6, 'books|magazines|stationery|pens|posters|greeting cards|calendars|stickers|printed publications'),
  wares('017', 0.6, 'insulation|plastic sheets|hoses|sealants'),
  wares('018', 2, 'handbags|luggage|wallets|backpacks|umbrellas|dog collars'),
  wares('019', 0.8, 'building materials|lumber|concrete|flooring|roofing'),
  wares('020', 2, 'furniture|chairs|mattresses|pillows|mirrors|desks'),
  wares('021', 2, 'cookware|mugs|drinking glasses|toothbrushes|water bottles|kitchen utensils'),
  wares('022', 0.3, 'tents|ropes|nets|hammocks'),
  wares('023', 0.2, 'yarn|thread'),
  wares('024', 1, 'towels|bed sheets|blankets|curtains|fabrics'),
  wares('025', 11, 'shirts|hats|shoes|jackets|pants|dresses|socks|sweatshirts|footwear|swimwear|belts|gloves|scarves'),
  wares('026', 0.5, 'buttons|ribbons|hair accessories|zippers'),
  wares('027', 0.4, 'carpets|rugs|yoga mats'),
  wares('028', 4, 'toys|board games|dolls|sporting goods|golf clubs|puzzles|playing cards|exercise equipment'),
  wares('029', 2, 'meat|cheese|milk|dried fruit|soups|nuts|olive oil|snack foods'),
  wares('030', 4, 'coffee|tea|bread|candy|chocolate|sauces|pasta|cookies|spices|ice cream'),
  wares('031', 1, 'fresh fruits|pet food|seeds|live plants|dog treats'),
  wares('032', 2, 'beer|soft drinks|fruit juices|bottled water|energy drinks'),
  wares('033', 2, 'wine|vodka|whiskey|rum|gin|distilled spirits'),
  wares('034', 0.6, 'cigars|tobacco|lighters|electronic cigarettes'),
  wares(
    '035',
    13,
    'retail store services|advertising services|business consulting services|marketing services|online retail store services|employment agency services|accounting services|franchising services',
  ),
  wares('036', 5, 'financial services|insurance services|real estate services|banking services|investment management'),
  wares('037', 2, 'construction services|automobile repair|cleaning services|plumbing|installation services'),
  wares('038', 2, 'telecommunications services|broadcasting services|streaming of audio|internet access'),
  wares('039', 2, 'transportation services|travel agency services|delivery services|storage services'),
  wares('040', 1, 'custom manufacturing|printing services|recycling services|tailoring'),
  wares(
    '041',
    11,
    'education services|entertainment services|training services|live musical performances|fitness instruction|film production|online publications|educational seminars',
  ),
  wares(
    '042',
    10,
    'software as a service|computer software development|web hosting|scientific research|engineering services|graphic design|cloud computing|technical support services',
  ),
  wares('043', 3, 'restaurant services|hotel services|catering services|coffee shops|child care services'),
  wares('044', 2, 'medical services|beauty salons|dental services|veterinary services|landscaping services'),
  wares('045', 2, 'legal services|security services|dating services|social networking services'),
]

const FIELDS =
  'health care|education|finance|agriculture|transportation|sports|music|fashion|energy|insurance|travel|security|nutrition|gaming|photography|law|pet care|construction|aviation|logistics'.split(
    '|',
  )

const WEIGHTS = WARES.reduce((sum, { weight }) => sum + weight, 0)

function anyWares(random: Random): Wares {
  let left = random.fraction() * WEIGHTS
  for (const one of WARES) if ((left -= one.weight) < 0) return one
  return WARES[0]!
}

/** One to four classes, mostly one, with what is sold in each. */
export function goodsOf(words: Vocabulary, random: Random): { readonly classes: string[]; readonly goods: string } {
  const chosen = new Set([anyWares(random)])
  while (chosen.size < 4 && words.chance(0.3)) chosen.add(anyWares(random))
  const inOrder = [...chosen].sort((a, b) => (a.class < b.class ? -1 : 1))
  return {
    classes: inOrder.map((one) => one.class),
    goods: inOrder.map((one) => textOf(one, words, random)).join(' '),
  }
}

function textOf({ class: name, items }: Wares, words: Vocabulary, random: Random): string {
  // Long texts are rare, very long ones very rare.
  const length = 50 + 500 * random.fraction() ** 3
  const described = () => (words.chance(0.3) ? `${words.word()} ${words.pick(items)}` : words.pick(items))
  const enumeration = () => Array.from({ length: 1 + random.below(4) }, described).join(', ')
  const clause = () => {
    const dice = random.fraction()
    if (dice < 0.3) return `${words.pick(items)}, namely, ${enumeration()}`
    if (dice < 0.5) return `${words.pick(items)} for use in the field of ${words.pick(FIELDS)}`
    if (dice < 0.65 && name >= '035') return `providing ${words.pick(items)} via a global computer network`
    return enumeration()
  }
  let text = clause()
  while (text.length < length) text += `; ${clause()}`
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

/**
 * Our own small taxonomy: the words that reveal the category of a name. The segmentation knows these words, too, which adds
 * new ones that the word list lacks (`fintech`, `vape`).
 */
const CATEGORY_WORDS = {
  finance:
    'bank banking banks capital card cash coin credit debt dollar equity exchange finance financial fintech forex fund funding funds hedge income invest investing investment investments investor ira lend lender lending loan loans money mortgage mortgages neobank pay payday payment payments payroll pension profit savings stock stocks tax taxes trade trader trading treasury wallet wealth',
  insurance:
    'assurance claim claims coverage insure insured insurance insurances insurer insurtech policy underwriting',
  crypto:
    'airdrop altcoin altcoins bitcoin bitcoins blockchain btc chain coins crypto cryptos cryptocurrency dao dapp dapps defi eth ether ethereum hodl ledger metaverse mining nft nfts satoshi stablecoin staking token tokens',
  technology:
    'algorithm api app apps automation bot bots browser byte bytes cloud code coder coding compute computer computers computing cyber cybersecurity data database dev developer device devices devops digital download drone drones electronic electronics firewall gadget gadgets hack hardware hosting internet iot laptop linux mobile net network networks phone pixel platform plugin programming robot robotics robots saas script security server servers smartphone soft software startup startups system systems tech technologies technology virtual web webhosting website wifi wireless',
  artificial_intelligence:
    'agent agentic agents chatbot chatbots copilot deep genai gpt inference llm neural prompt prompts vision',
  health:
    'acne addiction allergy anxiety care cancer chiropractic clinic clinics cure dental dentist dentists derma detox diabetes diagnostics diet dna doc doctor doctors drug drugs fertility health healthcare healthy hearing heal healing hospital implant implants insulin keto kidney lab labs massage med medic medical medicare medicine medspa mental nurse nurses nursing nutrition orthodontics pain patient patients pharma pharmacy physio pill pills rehab skin sleep spine supplement supplements surgeon surgery telehealth telemedicine therapist therapy vaccine vein vitamin vitamins weight wellness',
  cannabis:
    'bong bud buds cannabis cbd dispensary ganja hemp indica kush marijuana sativa thc vape vapes vaping vapor weed',
  real_estate:
    'apartment apartments builder builders building condo condos construction estate estates flat homes house houses housing land lease leasing lot lots loft lofts mansion property properties proptech realestate realtor realtors realty rent rental rentals roof roofing tenant townhouse villa villas',
  travel:
    'adventure air airline airlines airport backpack beach bus cab camp camping cruise cruises destination ferry flight flights fly guide holiday holidays hostel hotel hotels island jet journey limo luggage nomad passport resort resorts safari ski taxi tour tourism tourist tours train transfer travel traveler travels trip trips vacation vacations visa voyage yacht yachts',
  food: 'bake baker bakery bar barbecue bbq beer bistro brew brewery brewing burger burgers cafe cake cakes candy catering cheese chef chicken chocolate cocktail coffee cook cookie cookies cooking cuisine deli diner drink drinks eat eats espresso farm farms fish food foodie foods fruit gin grill grocery honey juice kitchen meal meals meat menu milk noodle organic pasta pizza recipe recipes restaurant restaurants rum salad seafood snack snacks soup spice steak sushi taco tacos tea tequila vegan vegetarian vodka whiskey wine winery wines',
  shopping:
    'bag bags bargain bargains beauty boutique brand brands buy cart catalog cheap closet clothes clothing cosmetic cosmetics coupon coupons deal deals diamond diamonds discount discounts dress dresses ecommerce fashion furniture gift gifts gold hair jewel jewelry jewels lingerie luxury makeup mall market marketplace mart outlet perfume retail ring rings sale sales sell seller shirt shirts shoe shoes shop shopper shopping shops silver sneaker sneakers store stores sunglasses supply toy toys trend watch watches wear wholesale',
  gambling:
    'bet bets betting bingo blackjack casino casinos gamble gambling jackpot lottery lotto odds poker roulette slot slots sportsbook wager',
  games:
    'arcade chess esport esports fantasy game gamer gamers games gaming guild multiplayer play player players puzzle quest quiz twitch xbox',
  sports:
    'athlete athletic ball baseball basketball bike bikes bicycle boxing coach cricket cycling fishing fit fitness football golf gym hockey horse hunting marathon mma pilates racing rugby run runner running skate soccer sport sports surf surfing swim team tennis training wrestling yoga',
  media:
    'actor animation art artist arts audio band blog blogger blogging blogs book books camera channel cinema comic comics concert dance design designer designs dj entertainment festival film films gallery graphic graphics live magazine media movie movies music musician news paint painting photo photographer photography photos pics picture pictures podcast podcasts press print printing publishing radio record records song songs stage streaming studio studios theater ticket tickets tube tv video videos',
  marketing:
    'ad ads advert advertise advertising adtech affiliate affiliates agency branding campaign content conversion copywriting crm email influencer lead leads logo marketer marketing martech outreach pr promo promote promotion seo sem social sponsor traffic viral',
  business:
    'accounting accountant accountants advisor advisors advisory associates biz boss business ceo co companies company consult consultant consultants consulting contract corp corporate deliver delivery employ employment enterprise enterprises entrepreneur export firm franchise freelance freight global group headhunter hire hiring holdings hr import inc industrial industries industry job jobs logistics management manager manufacturing office partner partners recruit recruiter recruiting recruitment resume sales salary service services ship shipping solution solutions staffing talent venture ventures work workers workforce',
  legal:
    'attorney attorneys bail court defense divorce immigration injury justice law lawyer lawyers lawsuit legal legaltech litigation notary patent patents trademark',
  education:
    'academy campus class classes classroom college course courses degree edtech education elearning english exam exams kids language learn learner learning lesson lessons library math mba phd scholar scholarship school schools science student students study teach teacher teachers teaching textbook train tutor tutoring tutors university',
  automotive:
    'auto autos automotive car cars carwash charger diesel drive driver drivers driving engine fleet garage mechanic moto motor motorcycle motorcycles motors parking parts ride rides rv scooter tesla tire tires tow towing truck trucking trucks van vehicle vehicles wheel wheels',
  energy:
    'battery batteries biofuel carbon charging climate electric electricity energy fuel gas green grid hydro hydrogen nuclear oil petrol petroleum pipeline power renewable renewables solar turbine wind',
  home: 'bath bathroom bed bedding beds cleaner cleaning curtain decor door doors electrician fence floor flooring florist flower flowers garden gardening gardens handyman heating home interior interiors landscaping lawn lighting locksmith maid mattress moving paint patio pest plumber plumbers plumbing pool pools remodeling sofa storage tile tiles window windows',
  pets: 'aquarium bird birds breeder cat cats dog dogs fish grooming horse horses kennel kitten paw paws pet pets petcare pup puppies puppy vet veterinary',
  dating:
    'bride brides date dating engagement flirt girl girls kiss love lover match matchmaker romance sex sexy single singles soulmate wedding weddings',
  family:
    'babies baby child childcare children christmas dad daycare families family father genealogy mom moms mommy mother nanny nursery parent parenting parents pregnancy senior seniors',
  faith: 'bible christian church faith god gospel islam jesus ministry prayer spirit spiritual temple zen',
  places:
    'africa america american amsterdam arizona asia atlanta austin australia bali barcelona beijing berlin boston brazil britain brooklyn california canada chicago china dallas denver dubai dublin england europe european florida france german germany georgia hawaii houston india indian indonesia ireland israel istanbul italy jamaica japan jersey korea london madrid malaysia manhattan melbourne mexico miami montreal moscow nashville nevada nigeria norway nyc oregon paris philadelphia phoenix portland portugal rome russia scotland seattle shanghai singapore spain sweden switzerland sydney texas thailand tokyo toronto turkey uk usa utah vancouver vegas vietnam virginia wales',
} as const

export type Category = keyof typeof CATEGORY_WORDS

const CATEGORIES = Object.keys(CATEGORY_WORDS) as readonly Category[]

/** The category of each word; the first category that lists a word wins. */
export const CATEGORY_OF: ReadonlyMap<string, Category> = byWord()

function byWord(): Map<string, Category> {
  const found = new Map<string, Category>()
  for (const category of CATEGORIES) {
    for (const word of CATEGORY_WORDS[category].split(' ')) if (!found.has(word)) found.set(word, category)
  }
  return found
}

/** The category of the last word that has one: the last word says what a thing is (`carinsurance` is insurance). */
export function categoryOf(words: readonly string[]): Category | null {
  for (let at = words.length - 1; at >= 0; at--) {
    const category = CATEGORY_OF.get(words[at]!)
    if (category !== undefined) return category
  }
  return null
}

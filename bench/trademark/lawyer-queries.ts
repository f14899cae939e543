/**
 * Marks as lawyers type them into a search: with punctuation, signs, descriptive words, slogans, abbreviations, several words of
 * which most are common, and words joined, split or respelled. Few are in the invented register, so nearly all need the deep
 * search, as in a real clearance.
 */
export const LAWYER_QUERIES: readonly string[] = `
  NORTHERN STAR|The Northern Star Company|NORTH STAR & Design|northernstar|NORTHRN STAR|North*Star|Golden Eagle Outfitters
  GOLDEN EAGEL|Golden-Eagle|GOLDENEAGLE COFFEE ROASTERS|Blue Mountain Coffee Co.|BLU MOUNTAIN|blue mtn coffee|BLUMOUNTAIN
  Kwik Fix|QUICK FIX|Quik-Fix Auto Repair|KWIKFIX|Xpress Lube|EXPRESS LUBE & TIRE|Nite Owl|NIGHT OWL CINEMA|NITEOWL
  Lite Bite|LIGHT BITES|Lyte Byte|Phresh Fish|FRESH FISH MARKET|EZ Klean|EASY CLEAN|E-Z CLEAN PRO|EZKLEEN|4 Ever Young
  FOREVER YOUNG SKIN CARE|4EVER YUNG|2 Good 2 Be True|TOO GOOD TO BE TRUE|Gr8 Skate|GREAT SKATE|U-Haul It|YOU HAUL IT
  I.Q. Works|IQ WORKS LAB|J.R. Whitlock & Sons|JR WHITLOCK AND SON|McKesslers|MC KESSLER'S GRILL|O'Larkin's Pub|OLARKINS
  Hartman Bros.|HARTMAN BROTHERS WINE|Dr. Gresham's Natural Remedies|DOCTOR GRESHAM|St. Ives Harbor|SAINT IVES HARBOUR
  Café del Sol|CAFE DEL SOL|Crème de la Crème Bakery|CREAM OF THE CROP|Naïve Kids®|über smart home™|UBER-SMART
  THE ORIGINAL HOUSE OF PANCAKES|Original Pancake House|HOUSE OF THE RISING SUN|Rising Sun Brewing|SUN RISE|SUNRYZE
  Life is better at the lake|LIFE'S BETTER ON THE LAKE|Built for the long road|Because every minute counts
  TRUST THE PEOPLE WHO KNOW|Where good food meets good friends|Your home, our care|OPEN HEARTS OPEN DOORS|Just dream it
  Silver Fox Legal|SILVERFOX|SILVER PHOX|Red Dragon Martial Arts Academy|REDDRAGON|Iron Horse Saloon|IRONHORSE|IRN HORSE
  Pure Water Systems, Inc.|PUREWATER|PURE H2O|Natural Beauty Lab LLC|NATURE'S BEAUTY|NATURALLY BEAUTIFUL|Natchural Beauty
  Global Data Trust|GLOBALDATA|GLOBAL DATTA|Cloud Nine|CLOUD 9 MATTRESS|KLOUD9|Cyber Shield|CYBERSHIELD 360|SYBER SHEELD
  AquaVita|AQUA VITA SPA|AQUAVEETA|Terra Nova|TERRANOVA CAPITAL PARTNERS|TERRA-NOVAE|Bella Luna|BELLALUNA|BELA LOONA
  Solaris Quantum|SOLARIS KWANTUM|Zenvora|ZENVORRA|Xylotek|ZYLOTECH|Phlexicor|FLEXICORE|Qwikr|VitaBloom|VYTABLUME|Trivantix|TRYVANTICS
`
  .trim()
  .split(/[|\n]/)
  .map((text) => text.trim())

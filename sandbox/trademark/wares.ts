/** A class of goods or services with its relative frequency. */
export type Wares = { readonly class: string; readonly weight: number; readonly items: readonly string[] }

const wares = (name: string, weight: number, items: string): Wares => ({ class: name, weight, items: items.split('|') })

export const WARES: readonly Wares[] = [
  wares(
    '001',
    2,
    'industrial chemicals|adhesives|fertilizers|unprocessed resins|solvents|plant growth regulators|polymers|chemical additives for concrete|silicones',
  ),
  wares('002', 1, 'paints|varnishes|printing ink|pigments|wood stains|primers|rust preventatives|toner cartridges'),
  wares(
    '003',
    5,
    'cosmetics|shampoo|skin lotion|perfume|soap|essential oils|nail polish|laundry detergent|lip balm|hair conditioner|body wash|deodorant|sun screen preparations|moisturizers|facial masks|toothpaste|household cleaning preparations',
  ),
  wares('004', 1, 'candles|motor oil|lubricants|fuel|charcoal|industrial greases|wax'),
  wares(
    '005',
    5,
    'pharmaceutical preparations|dietary supplements|vitamins|bandages|disinfectants|herbal supplements|antibiotics|infant formula|vaccines|insecticides|analgesics|medicated lotions|veterinary preparations|probiotic supplements',
  ),
  wares(
    '006',
    1,
    'metal hardware|steel pipes|metal fasteners|metal doors|aluminum foil|padlocks|wire rope|scaffolding of metal',
  ),
  wares(
    '007',
    2,
    'power tools|pumps|electric motors|vacuum cleaners|washing machines|compressors|food processors|conveyors|hydraulic valves|machine parts',
  ),
  wares('008', 1, 'hand tools|knives|razors|scissors|cutlery|wrenches|screwdrivers|garden tools|hair clippers'),
  wares(
    '009',
    16,
    'computer software|downloadable mobile applications|computer hardware|headphones|batteries|cameras|sensors|eyeglasses|phone cases|audio speakers|chargers|video game software|smart watches|computer peripherals|virtual reality headsets|semiconductor chips|measuring instruments|protective helmets|electronic publications|USB cables|sunglasses|musical sound recordings|data processing equipment',
  ),
  wares(
    '010',
    2,
    'medical devices|surgical instruments|hearing aids|thermometers|massage apparatus|orthopedic supports|catheters|blood glucose monitors|dental instruments|compression garments',
  ),
  wares(
    '011',
    2,
    'lamps|LED light bulbs|air conditioners|ovens|water filters|flashlights|faucets|refrigerators|air purifiers|heaters|lighting fixtures|fans',
  ),
  wares(
    '012',
    2,
    'automobiles|bicycles|tires|electric vehicles|boats|strollers|motorcycles|trailers|drones|scooters|vehicle seats',
  ),
  wares('013', 0.2, 'fireworks|holsters|ammunition|gun cases|firearms'),
  wares('014', 2, 'jewelry|watches|rings|necklaces|clocks|bracelets|earrings|cuff links|key chains|gemstones'),
  wares('015', 0.4, 'musical instruments|guitars|drums|pianos|violins|guitar strings|harmonicas'),
  wares(
    '016',
    6,
    'books|magazines|stationery|pens|posters|greeting cards|calendars|stickers|printed publications|notebooks|brochures|newsletters|photographs|trading cards|paper bags|instruction manuals|pencils|art prints',
  ),
  wares('017', 0.6, 'insulation|plastic sheets|hoses|sealants|rubber gaskets|adhesive tapes|acrylic film'),
  wares(
    '018',
    2,
    'handbags|luggage|wallets|backpacks|umbrellas|dog collars|purses|tote bags|briefcases|travel bags|pet leashes',
  ),
  wares(
    '019',
    0.8,
    'building materials|lumber|concrete|flooring|roofing|bricks|tiles|asphalt|window frames not of metal',
  ),
  wares(
    '020',
    2,
    'furniture|chairs|mattresses|pillows|mirrors|desks|tables|picture frames|cabinets|shelving|sofas|plastic containers',
  ),
  wares(
    '021',
    2,
    'cookware|mugs|drinking glasses|toothbrushes|water bottles|kitchen utensils|dinnerware|cutting boards|bakeware|vases|tumblers|cleaning cloths|brushes',
  ),
  wares('022', 0.3, 'tents|ropes|nets|hammocks|tarpaulins|awnings|sacks'),
  wares('023', 0.2, 'yarn|thread|embroidery thread|knitting wool'),
  wares('024', 1, 'towels|bed sheets|blankets|curtains|fabrics|table linen|quilts|pillow cases|shower curtains'),
  wares(
    '025',
    11,
    'shirts|hats|shoes|jackets|pants|dresses|socks|sweatshirts|footwear|swimwear|belts|gloves|scarves|t-shirts|headwear|underwear|coats|jeans|sweaters|sneakers|boots|caps|pajamas|skirts|leggings|sandals|ties',
  ),
  wares('026', 0.5, 'buttons|ribbons|hair accessories|zippers|wigs|artificial flowers|embroidery patches'),
  wares('027', 0.4, 'carpets|rugs|yoga mats|floor mats|wall coverings|artificial turf'),
  wares(
    '028',
    4,
    'toys|board games|dolls|sporting goods|golf clubs|puzzles|playing cards|exercise equipment|action figures|fishing rods|skateboards|plush toys|toy vehicles|video game machines|balls|Christmas tree ornaments',
  ),
  wares(
    '029',
    2,
    'meat|cheese|milk|dried fruit|soups|nuts|olive oil|snack foods|frozen vegetables|eggs|yogurt|fish|poultry|potato chips|jams|butter|sausages',
  ),
  wares(
    '030',
    4,
    'coffee|tea|bread|candy|chocolate|sauces|pasta|cookies|spices|ice cream|rice|flour|pizza|breakfast cereal|cakes|honey|noodles|crackers|popcorn|seasonings|salsa',
  ),
  wares(
    '031',
    1,
    'fresh fruits|pet food|seeds|live plants|dog treats|fresh vegetables|cut flowers|animal feed|agricultural grains',
  ),
  wares(
    '032',
    2,
    'beer|soft drinks|fruit juices|bottled water|energy drinks|sports drinks|mineral water|smoothies|syrups for making beverages',
  ),
  wares('033', 2, 'wine|vodka|whiskey|rum|gin|distilled spirits|tequila|liqueurs|brandy|sparkling wine|hard cider'),
  wares('034', 0.6, 'cigars|tobacco|lighters|electronic cigarettes|smoking pipes|vaporizers|ashtrays'),
  wares(
    '035',
    13,
    'retail store services|advertising services|business consulting services|marketing services|online retail store services|employment agency services|accounting services|franchising services|wholesale distributorship services|public relations services|market research services|business administration|customer loyalty programs|mail order catalogs|inventory management|import and export agencies',
  ),
  wares(
    '036',
    5,
    'financial services|insurance services|real estate services|banking services|investment management|mortgage lending|credit card processing|financial planning services|property management services|charitable fundraising|insurance brokerage|venture capital funding',
  ),
  wares(
    '037',
    2,
    'construction services|automobile repair|cleaning services|plumbing|installation services|roofing contracting|building maintenance services|pest control|car washing|real estate development|house painting',
  ),
  wares(
    '038',
    2,
    'telecommunications services|broadcasting services|streaming of audio|internet access|wireless communication|video conferencing|electronic mail transmission|podcasting|providing online forums',
  ),
  wares(
    '039',
    2,
    'transportation services|travel agency services|delivery services|storage services|freight forwarding services|car rental|packaging of articles|airline transport|warehousing|moving van transport',
  ),
  wares(
    '040',
    1,
    'custom manufacturing|printing services|recycling services|tailoring|metal fabrication|photographic processing|embroidering|water treatment|3D printing for others',
  ),
  wares(
    '041',
    11,
    'education services|entertainment services|training services|live musical performances|fitness instruction|film production|online publications|educational seminars|summer camps|museums|publishing of books|night clubs|language instruction services|organizing contests|television programs|music publishing|personal coaching services|coaching in the field of leadership|sports events',
  ),
  wares(
    '042',
    10,
    'software as a service|computer software development|web hosting|scientific research|engineering services|graphic design|cloud computing|technical support services|website development services|product testing|platform as a service|data encryption services|industrial design|information technology consulting|artificial intelligence research|providing temporary use of non-downloadable software',
  ),
  wares(
    '043',
    3,
    'restaurant services|hotel services|catering services|coffee shops|child care services|bar services|bed and breakfast lodging|food trucks|temporary accommodation services|cafes|resort lodging',
  ),
  wares(
    '044',
    2,
    'medical services|beauty salons|dental services|veterinary services|landscaping services|health care|spa services|physical therapy services|massage therapy|nutrition counseling|telemedicine|hair salons|agricultural consulting',
  ),
  wares(
    '045',
    2,
    'legal services|security services|dating services|social networking services|licensing of intellectual property|funeral arrangements|fire protection services|personal shopping|private investigation services|religious counseling',
  ),
]

/**
 * "Not found" wordings of WHOIS hosts: families of registries that run the same software, and single registries.
 * Sources: `data/PROVENANCE.md`. A pattern matches a whole statement in the form
 * of `Statement.words`, or a whole value of `Status`.
 */
export type HostFamily = {
  readonly patterns: readonly string[]
  /** TLDs whose host is `whois.nic.TLD`, space-separated. */
  readonly nic?: string
  /** Other hosts, space-separated. */
  readonly hosts?: string
}

const OBJECT = 'the queried object does not exist'
const CENTRALNIC = [`(?:${OBJECT} )?domain not found`]
const TUCOWS = ['domain @ is available for registration']

export const HOST_FAMILIES: readonly HostFamily[] = [
  {
    // Verisign
    patterns: ['no match for(?: domain)? @'],
    nic: 'cc name',
    hosts: 'whois.verisign-grs.com whois.crsnic.net ccwhois.verisign-grs.com',
  },
  {
    // Identity Digital; its older hosts, of Afilias, said only NOT FOUND
    patterns: ['(?:domain )?not found'],
    nic: `
      ac academy accountants actor ag agency ai apartments archi asia associates attorney auction band bargains bet
      bike bingo bio black blue boutique broker builders business cab cafe camera camp capital cards care careers cash
      casino catering center chat cheap church city claims cleaning clinic clothing coach codes coffee community
      company computer condos construction consulting contact contractors cool coupons credit creditcard cruises dance dating
      deals degree delivery dental dentist diamonds digital direct directory discount doctor dog domains education
      email energy engineer engineering enterprises equipment estate events exchange expert exposed express fail
      family fan farm finance financial fish fitness flights florist football forex forsale fund furniture futbol fyi
      gallery games gifts glass global gmbh gold golf graphics green gripe group guide guru haus healthcare hockey
      holdings holiday hospital house immo immobilien industries institute insure international investments io irish
      jetzt jewelry kaufen kids kitchen land lawyer lease legal lgbt life lighting limited limo live llc loans ltd
      maison management market marketing markets mba me media mn moda money mortgage movie network news ninja organic
      partners parts pet photography photos pictures pizza place plumbing plus poker productions promo properties pub
      recipes red rehab reise reisen rentals repair report restaurant reviews rip rocks run sale salon sc school
      schule services sh shoes shopping show singles ski soccer social software solar solutions spa srl studio style
      supplies supply support surgery systems tax taxi team technology tennis theater tienda tips tires today tools
      tours town toys trading training university vacations vegas ventures vet video villas vin vision vote voyage
      watch watches wine works world wtf zone
    `,
    hosts: 'whois.identitydigital.services whois.auda.org.au',
  },
  {
    // Public Interest Registry, Google Registry
    patterns: ['domain not found'],
    nic: `
      charity foundation gives giving ngo
      app channel dad day dev esq foo how ing meme mov page phd prof rsvp zip
    `,
    hosts: 'whois.pir.org whois.publicinterestregistry.net whois.publicinterestregistry.org whois.nic.google',
  },
  {
    // CentralNic
    patterns: CENTRALNIC,
    nic: `
      art audio autos baby beauty best boats bond build cam ceo cfd college cyou diet fans flowers fm game guitars
      hair help homes hosting icu inc lat lol london luxury mom monster motorcycles pics quest rent security skin
      tickets xyz yachts
      rugby shop
    `,
    hosts: 'whois.centralnic.com whois.id',
  },
  // .co went from GoDaddy Registry to CentralNic in 2025
  { patterns: [...CENTRALNIC, 'no data found'], nic: 'co', hosts: 'whois.registry.co' },
  {
    // Radix, and others that went from CentralNic to Tucows Registry
    patterns: [...CENTRALNIC, ...TUCOWS],
    nic: 'bar fun host online press pw rest site space store tech website',
  },
  {
    // Tucows Registry
    patterns: TUCOWS,
    nic: 'click cloud diy food forum gift hiphop lifestyle link living love property realty',
    hosts: 'whois.tucowsregistry.net whois.registry.click whois.tonicregistry.to',
  },
  {
    // GoDaddy Registry
    patterns: ['no data found'],
    nic: `
      accountant basketball beer bible bid boston buzz casa club compare cooking courses cricket date design download
      faith fashion film fishing fit garden gay horse ink law loan luxe melbourne men miami moe nyc one party racing
      review science stream study surf sydney trade tube vip vodka webcam wedding wiki win work yoga
    `,
    hosts: 'whois.biz whois.nic.biz',
  },
  { patterns: ['no data found', ...TUCOWS], hosts: 'whois.nixiregistry.in whois.registry.in' },
  // CIRA
  { patterns: ['not found @'], nic: 'blog eco', hosts: 'whois.cira.ca' },
  // Knipp
  { patterns: [`${OBJECT}(?: no matching objects found)?`], nic: 'bayern berlin hamburg' },
  // ZDNS
  { patterns: [`${OBJECT} @`], nic: 'top' },
  {
    // CoCCA: a status, or since 2026 a sentence
    patterns: ['no object found', `${OBJECT} no object found`],
    nic: 'cx ec hn ly',
    hosts: 'whois.kenic.or.ke whois.nic.net.ng',
  },
  // Nominet
  { patterns: ['no match for @', 'this domain name has not been registered'], nic: 'bot deal now uk wales' },
  // Fred, the software of CZ.NIC
  { patterns: ['error 101 no entries found'], nic: 'cr cz' },
  // AFNIC
  { patterns: ['not found', 'no entries found in the afnic database'], nic: 'fr paris' },
  // SIDN
  { patterns: ['@ is free'], hosts: 'whois.domain-registry.nl whois.sidn.nl' },
  { patterns: ['free', '@ is free'], nic: 'amsterdam' },
  // Single registries
  { patterns: ['free'], hosts: 'whois.denic.de' },
  { patterns: ['available domain @', 'no information was found matching that query'], nic: 'africa' },
  { patterns: ['el dominio no se encuentra registrado en nic argentina'], nic: 'ar' },
  { patterns: ['we do not have an entry in our database matching your query'], nic: 'ch li' },
  { patterns: ['domain not found'], hosts: 'whois.ficora.fi whois.fi' },
  { patterns: ['no entries found for query @'], hosts: 'whois.isnic.is' },
  { patterns: ['no match'], hosts: 'whois.norid.no' },
  {
    patterns: ['no information available about domain name @ in the registry nask database'],
    hosts: 'whois.dns.pl',
  },
  { patterns: ['domain not found', 'not found(?: @)?'], hosts: 'whois.sgnic.sg' },
  { patterns: ['no entries found for the selected source(?: s|s)'], hosts: 'whois.arnes.si whois.register.si' },
  { patterns: ['no found'], hosts: 'whois.twnic.net whois.twnic.net.tw' },
  { patterns: ['no entries found for @'], hosts: 'whois.ua' },
  { patterns: ['sorry but domain @ not found in database'], hosts: 'whois.cctld.uz' },
]

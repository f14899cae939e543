/** Word lists and syllables for the invented register. */
const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words of marks, by frequency. */
export const WORDS = list(`
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

/** Suffixes that derive one word from another. */
export const INFLECTIONS = list(`s s s er ers ing ed y ly ness less ful land side line ways field man work`)

export const FAMILIES = list(`
  abbott barnes caldwell danner ellery farrow gantry hollis ingram jessup kessler larkin maddox norwood osgood pruitt
  quigley redding stroud tillman upshaw vickers wexler yardley zeller ashby bremer corbin dawlish everly fenwick gresham
  haskell irving jarvis kimball lathrop merrick newcomb orton penrose rutledge sewell thackery ulrich varga whitlock
  adler boyd camp dorn elm fair good hart ham jack kirk long mar nor oak park quin rand sand thorn under van wal york
  berg lind holm sten dahl beck rosen gold silver black white brown green wood stone hill brook field moor marsh heath
  alder birch ash hazel rowan thor erik jans pet hans karl gust lar niel peders sander mart rod fern gonz alv lop ram
`)
export const FAMILY_ENDINGS = list(`son sen man mann berg ford ton ley er ers ez ski ova ini well worth wick by field
  stein burg ham hurst`)

export const GIVEN = list(`
  anna ben clara david elena frank grace henry iris james karen louis maria nina oscar paula rosa simon
  adam agnes albert alice amos andrea arthur bella bruno carla carl cecil cora dana daniel dora edith edgar ella emil
  emma erik esther eva felix flora fred gina george hanna harold hazel hugo ida ines ivan ivy jack jane jonas josef judith
  julia kurt laura lena leo linda lucas lucy luis mabel marc marta max mila moira nora olga olive otto pablo pearl peter
  rita robin ruth sara sofia stella tess theo thomas tina ursula vera victor viola walter wanda yuri zoe
`)

export const TOWNS = list(`
  boston denver austin tampa reno dayton fresno tulsa mobile salem dover concord lyon bergen porto kyoto busan shenzhen
  ningbo xiamen leeds bristol milan turin ghent basel linz malmo tartu riga
`)

export const ONSETS =
  list(`b c d f g h j k l m n p qu r s t v w z bl br ch cl cr dr fl fr gl gr ph pl pr sh sk sl sp st th tr
  sc sm sn sw tw wh y x`)
export const VOWELS = list(`a e i o u a e i o y ai ea ee ie oo ou io ua`)
export const CODAS = list(`n r l s t x m d k ck nd ng nt st z rt th`)
export const BEGINNINGS =
  list(`neo uni omni tri multi hyper bio geo eco aero hydro medi opti accu dura micro nano my go ez tru nu
  pan bi super ultra thermo electro cyber info vita flexi maxi mini inter over under sky snap quick kwik lite brite syn
  zip zoom`)
export const ENDINGS =
  list(`ify ly io ix ex ium ia ora era on tron gen med tek soft ware zy ant ist us os ax ine let hub bit cast
  flow scape craft mate wise well fit box kit bot
  ox ara tech able ade ent is in ol ene eon ity pro max lux zen now pad byte net stream wave path sense works smith buddy
  shot`)

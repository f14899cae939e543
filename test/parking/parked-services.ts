import { chooser, document, type Draft } from './making.ts'

type Maker = readonly [family: string, drafts: () => Draft[]]

const KEY = 'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMadeUpForOurTestsOnly00000000000000000000000000000000000000000000AwEAAQ=='
const adBlockKey = (seed: string) => ` data-adblockkey="${KEY}_${chooser(seed).number(1e8, 9e8)}Zm9v=="`

const TOPICS = [
  ['Garden Tools', 'Greenhouse Kits', 'Seed Shop', 'Raised Beds', 'Lawn Mower'],
  ['Sailing Lessons', 'Used Boats', 'Boat Insurance', 'Harbour Fees', 'Marine Radio'],
  ['Gartenmöbel', 'Rasenmäher', 'Gewächshaus kaufen', 'Pflanzen', 'Terrasse'],
  ['Assurance Auto', 'Crédit Immobilier', 'Mutuelle Santé', 'Voyage Pas Cher', 'Location Voiture'],
]
const feed = (host: string, topic: readonly string[], path = '/search/result.php') =>
  topic
    .map((word) => `<li><a href="${path}?q=${encodeURIComponent(word)}&amp;d=${host}" rel="nofollow">${word}</a></li>`)
    .join('')

/** Advertisements on the domain itself, with the files of the parking service. */
const withAds: Maker[] = [
  [
    'ads by a service with its own image host',
    () =>
      (
        [
          [
            'alderbrook.example',
            'en',
            'Resources and Information.',
            'Related links',
            'This webpage was made by the domain owner with a parking service.',
          ],
          [
            'gartenfreude-shop.example',
            'de',
            'Informationen zum Thema Garten.',
            'Weitere Links',
            'Diese Webseite wurde vom Domain Inhaber dynamisch generiert.',
          ],
          [
            'voiture-verte.example',
            'fr',
            'Ressources et information.',
            'Recherches associées',
            'Cette page a été créée par le propriétaire du domaine.',
          ],
          [
            'casa-azul.example',
            'es',
            'Recursos e información.',
            'Búsquedas relacionadas',
            'Esta página ha sido generada por el propietario del dominio.',
          ],
        ] as const
      ).map(([host, lang, tail, heading, disclaimer], at) => ({
        host,
        hosts: [host, 'img.sedoparking.com', 'www.google.com'],
        nameservers:
          at % 2 === 0 ? ['ns1.sedoparking.com', 'ns2.sedoparking.com'] : ['ns1.registrar-lindqvist.example'],
        addresses: at % 2 === 0 ? ['91.195.240.12'] : ['203.0.113.7'],
        html: document(
          `${host}&nbsp;-&nbsp;${host.split('.')[0]} ${tail}`,
          `<div class="container-header"><h1>${host}</h1></div><div id="container-content"><div class="container-relatedlinks"><h2>${heading}</h2><ul>${feed(host, TOPICS[at]!)}</ul></div></div>` +
            `<div class="container-buybox" id="container-buybox"></div><div class="container-disclaimer"><p>${disclaimer}</p></div>` +
            `<script>var dto = {"domainName":"${host}","domainPrice":0,"buybox":false,"sedoParkingUrl":"https://www.sedo.com/services/parking.php3"};</script>`,
          {
            lang,
            root: adBlockKey(host),
            head: '<link rel="icon" href="//img.sedoparking.com/templates/logos/logo.png"><script src="//www.google.com/adsense/domains/caf.js"></script>',
          },
        ),
      })),
  ],
  [
    'an empty shell that a script fills',
    () =>
      ['northwind-tents.example', 'kupferkessel.example', 'lunch-box-club.example'].map((host, at) => {
        const shell = `<!doctype html><html${adBlockKey(host)} lang="en" style="background: #2B2B2B;"><head><meta charset="utf-8"></head><body><div id="target" style="opacity: 0"></div><script>window.park = "eyJ1dWlkIjoi${chooser(host).number(1e8, 9e8)}";</script><script src="/bd${at}kQzXw.js"></script></body></html>`
        const filled = shell.replace(
          '<div id="target" style="opacity: 0"></div>',
          `<div id="target"><h1>${host}</h1><div id="rs"><iframe src="https://syndicatedsearch.goog/afs/ads?adsafe=low&amp;client=dp-example34_3ph&amp;q="></iframe></div><a href="/_pp">Privacy Policy</a></div>`,
        )
        return {
          host,
          firstBody: shell,
          html: at === 2 ? shell : filled,
          addresses: at === 0 ? ['199.59.243.225'] : ['203.0.113.8'],
        }
      }),
  ],
  [
    'tracked ads over a dark theme',
    () =>
      ['tobacco-pipes.example', 'mietwagen-nord.example', 'oslo-cabins.example'].map((host) => ({
        host,
        finalUrl: `http://ww${chooser(host).number(1, 38)}.${host}/?subid1=20261114-1200-a1b2c3d4`,
        html: document(
          host,
          `<div class="wrapper1"><div id="domainname"><h2>${host}</h2></div><div id="tc"></div></div><script>var pageOptions = {pubId: 'dp-teamexample04_3ph', resultsPageBaseUrl: '//${host}/?ts='};x(pageOptions, { domainRegistrant:'as-drid-${chooser(host).number(1e9, 9e9)}' });function loadFeed(){var s=document.createElement('script');s.src='//www.google.com/adsense/domains/caf.js?abp=1';document.body.appendChild(s)}</script>`,
          {
            root: adBlockKey(host),
            head: "<style>.asset_star0{background:url('//d38psrni17bvxu.cloudfront.net/themes/assets/star0.gif')}</style>",
          },
        ),
      })),
  ],
  [
    'nothing but advertising for domains',
    () =>
      ['pixelpear.example', 'quietkettle.example'].map((host) => ({
        host,
        html: `<!DOCTYPE html><html><head><title></title><meta name="description" content="See related links to what you are looking for."/></head><body><script>g_pb=(function(){var D=document.createElement('script');D.src="//www.google.com/adsense/domains/caf.js";D.onload=function(){new google.ads.domains.Caf({})};document.body.appendChild(D)})();</script></body></html>`,
      })),
  ],
  [
    'a search box of a portfolio owner',
    () =>
      ['seven-seas.example', 'blue-ferns.example'].map((host) => ({
        host,
        html: document(
          host,
          `<center><div id="container"><div class="logo"><a href="/">${host}</a></div><div class="catch_phrase">Search ${host.toUpperCase()}</div><div id="search"></div><div id="footer"><a href="/privacy_policy.html">Privacy Policy</a></div></div></center><script>var pageOptions = {'pubId' : 'partner-dp-portfolio_js','domainRegistrant': 'as-drid-oo-16'};</script><script>new google.ads.domains.Caf(pageOptions, searchblock1);</script>`,
          { root: adBlockKey(host) },
        ),
      })),
  ],
  [
    'a feed of an unknown service',
    () =>
      (
        [
          ['rucksack-welt.example', 'de', 'Ähnliche Suchbegriffe', 2],
          ['lake-lodges.example', 'en', 'Related Searches', 1],
          ['auto-lyon.example', 'fr', 'Recherches apparentées', 3],
          ['hotel-mar.example', 'es', 'Enlaces patrocinados', 0],
          ['garten-nl.example', 'nl', 'Gerelateerde zoekopdrachten', 0],
          ['wakacje.example', 'pl', 'Powiązane wyszukiwania', 1],
        ] as const
      ).map(([host, lang, heading, topic]) => ({
        host,
        html: document(
          host,
          `<div class="header"><span class="domain">${host}</span></div><div class="ads"><h3>${heading}</h3><ul class="terms">${feed(host, TOPICS[topic]!, '/lp')}</ul></div><footer><a href="/privacy">Privacy</a></footer>`,
          { lang },
        ),
      })),
  ],
  [
    'a network that stamps its pages',
    () =>
      ['fern-and-fable.example', 'summit-socks.example'].map((host) => ({
        host,
        hosts: [host, 'l.cdn-fileserver.com'],
        html: document(
          `${host}: The Leading Fable Site on the Net`,
          `<div id="main"><h1>${host}</h1><ul>${feed(host, TOPICS[0]!, '/__media__/')}</ul></div><img src="https://l.cdn-fileserver.com/bping.php?d=${host}" width="1" height="1">`,
        ),
      })),
  ],
]

/** Redirects to another site. */
const withRedirect: Maker[] = [
  [
    'a root that leads to a lander',
    () => {
      const root =
        '<!DOCTYPE html><html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>'
      const lander = (host: string, inside: string) =>
        `<!doctype html><html lang="en"><head><meta charset="UTF-8"/><script>window.LANDER_SYSTEM="PW"</script><script>window._trfd=window._trfd||[],window._trfd.push({ap:"parking"})</script><script defer="defer" src="https://img1.wsimg.com/parking-lander/static/js/main.${chooser(host).number(1e7, 9e7)}.js"></script></head><body><div id="root">${inside}</div></body></html>`
      return [
        { host: 'copper-lane.example', html: root },
        {
          host: 'violet-harbor.example',
          firstBody: root,
          html: lander('violet-harbor.example', ''),
          finalUrl: 'https://violet-harbor.example/lander',
        },
        {
          host: 'ashgrove-pens.example',
          firstBody: root,
          html: lander(
            'ashgrove-pens.example',
            '<h1>ashgrove-pens.example</h1><p>is parked free, courtesy of a registrar.</p><a href="https://registrar.example/">Get This Domain</a>',
          ),
          finalUrl: 'https://ashgrove-pens.example/lander',
        },
      ]
    },
  ],
  [
    'the page of the name at a large marketplace',
    () =>
      [
        ['fire-scarf.example', 'https://www.hugedomains.com/domain_profile.cfm?d=fire-scarf.example'],
        ['maple-desk.example', 'https://www.hugedomains.com/domain_profile.cfm?d=maple-desk&e=example'],
        ['opal-raft.example', 'https://www.afternic.com/forsale/opal-raft.example?utm_medium=parkedpages'],
        ['nordlicht-reise.example', 'https://sedo.com/search/details/?domain=nordlicht-reise.example&language=d'],
        ['siesta-cafe.example', 'https://dan.com/buy-domain/siesta-cafe.example?redirected=true'],
        ['herbata.example', 'https://www.aftermarket.pl/domena/herbata.example/'],
      ].map(([host, finalUrl]) => ({
        host: host!,
        finalUrl: finalUrl!,
        html: document(
          `${host} is for sale | Names At Large`,
          `<header><a href="/search">Search</a><a href="/how">How it works</a><a href="/about">About us</a><a href="/blog">Blog</a><a href="/login">Log in</a><a href="/payment-plans">Payment plans</a></header>` +
            `<main><h1>${host}</h1><p>This domain is for sale: $2,895</p><button>Buy now</button><p>${'Since 2005 we have helped thousands of people to find the right name for their business. Your purchase is protected, and payment plans are open to everybody. '.repeat(14)}</p></main>`,
        ),
      })),
  ],
  [
    'a marketplace behind a wall',
    () =>
      ['teal-anchor.example'].map((host) => ({
        host,
        status: 403,
        finalUrl: `https://www.hugedomains.com/domain_profile.cfm?d=${host}`,
        html: document(
          'Just a moment...',
          '<h1>www.hugedomains.com</h1><p>Verifying you are human. This may take a few seconds.</p>',
        ),
      })),
  ],
  [
    'the sale page of a registrar',
    () =>
      ['every-ledger.example', 'plain-orchid.example'].map((host) => ({
        host,
        firstBody:
          '<html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>',
        hops: [`https://${host}/`, `https://${host}/lander`, `https://forsale.godaddy.com/forsale/${host}`],
        finalUrl: `https://forsale.godaddy.com/forsale/${host}?utm_source=TDFS_BINNS2`,
        html: document(
          host,
          `<h1>${host}</h1><p>The domain name ${host} is for sale!</p><form><label>Your offer</label><input name="offer"><button>Submit</button></form>`,
        ),
      })),
  ],
  [
    'numbered hosts of a traffic seller',
    () =>
      ['lemon-letters.example', 'harbor-yarn.example'].map((host, at) => ({
        host,
        hops: [`http://${host}/`, `http://ww${at === 0 ? 25 : 16}.${host}/?subid1=20261112-0304`],
        finalUrl: `http://ww${at === 0 ? 25 : 16}.${host}/?subid1=20261112-0304`,
        html: document('', '<div id="app"></div><script src="/assets/x.js"></script>'),
      })),
  ],
]

/** The page has no signals; DNS does. */
const byNameSystem: Maker[] = [
  [
    'name servers of a parking service and an empty answer',
    () => [
      {
        host: 'silver-otter.example',
        html: '<html><head></head><body></body></html>',
        nameservers: ['ns1.bodis.com', 'ns2.bodis.com'],
        addresses: ['199.59.243.220'],
      },
      {
        host: 'brass-lantern.example',
        html: '',
        nameservers: ['ns1.parkingcrew.net', 'ns2.parkingcrew.net'],
        addresses: [],
      },
      {
        host: 'ivory-plum.example',
        html: document('ivory-plum.example', '<p>Loading…</p>'),
        nameservers: ['ns5.afternic.com', 'ns6.afternic.com'],
      },
    ],
  ],
]

export const SERVICE_FAMILIES: readonly Maker[] = [...withAds, ...withRedirect, ...byNameSystem]

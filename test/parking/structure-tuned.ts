import { document, prose, type Draft, type Maker } from './making.ts'

const frames = (title: string, src: string, inside = '') =>
  `<html><head><title>${title}</title></head><frameset rows="100%,*" border="0"><frame src="${src}" name="main"><noframes>${inside}</noframes></frameset></html>`

/** Pages that only frame or link to a lander elsewhere, and default pages of registrars and hosters. */
export const STRUCTURE_PARKED_TUNED: readonly Maker[] = [
  [
    'a frame around the lander of a marketplace',
    (): Draft[] => [
      {
        host: 'cobalt-ferry.example',
        html: frames(
          'cobalt-ferry.example',
          'https://sedo.com/search/details/?domain=cobalt-ferry.example&partnerid=1',
        ),
        hosts: ['cobalt-ferry.example', 'sedo.com'],
      },
      {
        host: 'lime-cellar.example',
        html: frames(
          'lime-cellar.example',
          '//www.afternic.com/forsale/lime-cellar.example',
          '<p>Your browser has no frames.</p>',
        ),
      },
      {
        host: 'husk-and-hem.example',
        html: document(
          'husk-and-hem.example',
          '<style>html,body,iframe{height:100%;margin:0;border:0}</style><iframe width="100%" height="100%" src="https://dan.com/buy-domain/husk-and-hem.example"></iframe>',
        ),
      },
      {
        host: 'tin-harvest.example',
        html: document(
          '',
          '<iframe src="https://landing.nordnamen.example/for-sale?domain=tin-harvest.example"></iframe>',
        ),
      },
    ],
  ],
  [
    'a refresh or a script that leads to a marketplace, caught on the way',
    (): Draft[] => [
      {
        host: 'reed-pocket.example',
        html: '<html><head><meta http-equiv="refresh" content="0; URL=https://sedo.com/search/details/?domain=reed-pocket.example"></head><body></body></html>',
      },
      {
        host: 'moss-trumpet.example',
        html: document(
          '',
          '<script>top.location.replace("https://www.hugedomains.com/domain_profile.cfm?d=moss-trumpet.example")</script>',
        ),
      },
      {
        host: 'fjell-kaffe.example',
        html: document(
          'fjell-kaffe.example',
          "<p>Redirecting…</p><script>setTimeout(function () { window.location = 'https://dan.com/buy-domain/fjell-kaffe.example?redirected=true' }, 500)</script>",
        ),
      },
    ],
  ],
  [
    'a registrar or a hoster has put up a page',
    (): Draft[] => [
      {
        host: 'sage-bellows.example',
        html: document(
          'Welcome to sage-bellows.example',
          '<h1>This domain has just been registered at Lindqvist Names.</h1><p>Its owner will put something here soon.</p><a href="https://lindqvist.example/">Lindqvist Names</a>',
        ),
      },
      {
        host: 'umber-violin.example',
        html: document(
          'Default page',
          '<div class="box"><h1>umber-violin.example</h1><p>The hosting for this domain is active, but no website has been uploaded yet.</p><p>If you are the owner, upload your files to the folder public_html with your control panel.</p><a href="https://lindqvist.example/support">Support of Lindqvist Hosting</a></div>',
        ),
      },
      {
        host: 'kranich-feld.example',
        html: document(
          'kranich-feld.example',
          '<p>Hier entsteht eine neue Internetpräsenz.</p><p>Diese Domain wurde soeben bei Lindqvist registriert.</p><p>Webhosting, E-Mail und Domains gibt es bei <a href="https://lindqvist.example/">Lindqvist</a>.</p>',
          { lang: 'de' },
        ),
      },
    ],
  ],
]

/** Sites in use that frame, link, quote or mention the elements of parked pages. */
export const STRUCTURE_ORDINARY_TUNED: readonly Maker[] = [
  [
    'frames and redirects of sites in use',
    (): Draft[] => [
      {
        host: 'choir-of-ash.example',
        html: frames(
          'The Choir of Ash',
          'https://sites.lindqvist.example/choir-of-ash/',
          '<a href="https://sites.lindqvist.example/choir-of-ash/">Go on</a>',
        ),
      },
      {
        host: 'pension-linde.example',
        html: document(
          'Pension Linde',
          `<h1>Pension Linde</h1><p>${prose('linde', 60)}</p><iframe src="https://booking.lindqvist.example/widget?site=pension-linde.example"></iframe>`,
        ),
      },
      {
        host: 'shop-of-reeds.example',
        html: '<html><head><meta http-equiv="refresh" content="0;url=https://shop-of-reeds.example/en/"></head><body></body></html>',
      },
    ],
  ],
  [
    'a short article about selling domains',
    (): Draft[] => [
      {
        host: 'kettle-notes.example',
        html: document(
          'How to sell a domain name',
          `<article><h1>How to sell a domain name</h1><p class="by">By Ida Holm, 3 October 2026</p><p>“This domain is for sale” is what most sellers write, and then nothing happens. ${prose('kettle', 60)}</p><p>Put a price on it, answer within a day, and use escrow. ${prose('kettle2', 50)}</p></article><a href="/">Home</a>`,
        ),
      },
      {
        host: 'plain-ledger.example',
        html: document(
          'Is a parked domain worth anything? – Plain Ledger',
          `<h1>Is a parked domain worth anything?</h1><p>${prose('ledger', 45)}</p><p>If this domain has expired or is parked, its price falls. Buy this domain only when you know why. ${prose('ledger2', 40)}</p><a href="/about">About</a><a href="/feed">Feed</a>`,
          {
            head: '<script type="application/ld+json">{"@context":"https://schema.org","@type":"BlogPosting"}</script>',
          },
        ),
      },
    ],
  ],
  [
    'a hobby page with a sale line at its end',
    (): Draft[] => [
      {
        host: 'anvil-trains.example',
        html: document(
          'Model trains of the valley',
          `<h1>Model trains of the valley</h1><p>${prose('trains', 45)}</p><p><a href="/layout.html">The layout</a></p><footer>This domain may be for sale, mail me.</footer>`,
        ),
      },
      {
        host: 'moth-watch.example',
        html: document(
          'Moths of Ellery',
          `<h2>Moths of Ellery</h2><p>${prose('moths', 70)}</p><div id="foot"><a href="https://sedo.com/search/details/?domain=moth-watch.example">Buy moth-watch.example</a> – this domain is for sale, interested? Make an offer.</div>`,
        ),
      },
      {
        host: 'not-today.example',
        html: document('Not today', '<h1>Not today</h1><p>This domain is not for sale. Please stop asking.</p>'),
      },
    ],
  ],
]

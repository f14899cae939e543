import { document, prose, type Draft, type Maker } from './making.ts'

/** Written before the structure rules, and not scored while those were tuned. */
export const STRUCTURE_PARKED_HELD_OUT: readonly Maker[] = [
  [
    'a lander of somebody else inside',
    (): Draft[] => [
      {
        host: 'wren-locker.example',
        html: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN"><html><head><title>wren-locker.example</title></head><FRAMESET COLS="*,0"><FRAME SRC=http://www.undeveloped.com/buy-domain/wren-locker.example><FRAME SRC="about:blank"></FRAMESET></html>',
      },
      {
        host: 'pewter-lake.example',
        html: document(
          'pewter-lake.example',
          '<iframe style="position:fixed;inset:0;width:100vw;height:100vh" src="https://www.atom.com/name/pewter-lake.example"></iframe>',
        ),
      },
      {
        host: 'gooseberry-lane.example',
        firstBody:
          "<script>location.href='https://www.afternic.com/forsale/gooseberry-lane.example?traffic_type=TDFS'</script>",
        html: '<html><head></head><body></body></html>',
      },
      {
        host: 'otter-press.example',
        html: document('otter-press.example', '<p>One moment please.</p>', {
          head: '<meta http-equiv="Refresh" content="2;url=\'https://www.hugedomains.com/domain_profile.cfm?d=otter-press.example\'">',
        }),
      },
    ],
  ],
  [
    'pages of registrars and hosters',
    (): Draft[] => [
      {
        host: 'clay-sparrow.example',
        html: document(
          'clay-sparrow.example',
          '<p>You have reached a name that was newly registered with Ninefold Registrar.</p><p>The domain name clay-sparrow.example has been registered, but there is no website yet.</p><a href="https://ninefold.example">Get your own domain</a>',
        ),
      },
      {
        host: 'heron-attic.example',
        html: document(
          'Your website is ready',
          '<h1>Congratulations!</h1><p>Your new hosting account at Ninefold is set up. This is the default page for heron-attic.example.</p><p>Are you the owner of this website? Delete index.html and upload your own site.</p>',
        ),
      },
      {
        host: 'pluie-fine.example',
        html: document(
          'Site en construction',
          '<p>Ce nom de domaine vient d’être enregistré chez Ninefold.</p><p>Vous êtes le propriétaire du domaine ? Installez votre site.</p>',
          { lang: 'fr' },
        ),
      },
    ],
  ],
]

export const STRUCTURE_ORDINARY_HELD_OUT: readonly Maker[] = [
  [
    'sites in use that frame or lead elsewhere',
    (): Draft[] => [
      {
        host: 'fen-radio.example',
        html: '<html><head><title>Fen Radio</title></head><frameset cols="200,*"><frame src="menu.html"><frame src="https://stream.fen-radio.example/player"></frameset></html>',
      },
      {
        host: 'dr-holm.example',
        html: document(
          'Dr Holm',
          `<h1>Dr Holm</h1><p>${prose('drholm', 50)}</p><iframe src="https://maps.lindqvist.example/embed?q=Mill+Lane"></iframe>`,
        ),
      },
      {
        host: 'brass-and-bow.example',
        html: document(
          'Brass and Bow',
          `<p>${prose('brass', 30)}</p><script>document.querySelector('#buy').onclick = function () { location.href = 'https://shop.lindqvist.example/brass' }</script>`,
        ),
      },
    ],
  ],
  [
    'somebody writes about names',
    (): Draft[] => [
      {
        host: 'slow-dispatch.example',
        html: document(
          'I sold my first domain',
          `<h1>I sold my first domain</h1><p>${prose('slow', 40)} For months the page said that the domain is for sale, in large letters. ${prose('slow2', 40)}</p><p>Comments: 4</p><a href="/tags/names">names</a>`,
        ),
      },
      {
        host: 'was-ist-was.example',
        html: document(
          'Was bedeutet „diese Domain steht zum Verkauf“?',
          `<article><h1>Was bedeutet „diese Domain steht zum Verkauf“?</h1><p>Wer so etwas liest, ist auf einer geparkten Seite gelandet. ${prose('was', 110)}</p></article>`,
          { lang: 'de', head: '<meta property="og:type" content="article">' },
        ),
      },
    ],
  ],
  [
    'somebody would part with the name',
    (): Draft[] => [
      {
        host: 'tide-tables.example',
        html: document(
          'Tide tables of the bay',
          `<h1>Tides</h1><pre>${prose('tide', 60)}</pre><hr><p><small>© 2026 Nils. tide-tables.example may be for sale, ask me.</small></p>`,
        ),
      },
      {
        host: 'poeme-du-jour.example',
        html: document(
          'Poèmes',
          `<h1>Poèmes</h1><p>${prose('poeme', 55)}</p><footer>Ce nom de domaine est à vendre : écrivez-moi.</footer>`,
          { lang: 'fr' },
        ),
      },
      {
        host: 'mein-aquarium.example',
        html: document(
          'Mein Aquarium',
          `<h1>Mein Aquarium</h1><p>${prose('aqua', 50)}</p><p>Diese Domain steht nicht zum Verkauf.</p>`,
          { lang: 'de' },
        ),
      },
    ],
  ],
]

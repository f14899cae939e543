/**
 * Commands of the pages that the tests do not run, word for word, and why. Everything else that stands in a block of
 * `sh`, `bash`, `console` or `crontab` is run by commands.test.ts; an entry that no page has any more is an error there.
 */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'downloads the packages that this very test runs with',
  'npm test': 'would run this test again',
  'docker build -t onoma .': 'needs Docker',
  'docker run --rm -p 8080:8080 -v onoma-data:/var/lib/onoma onoma': 'needs Docker',
  "rsync -a --exclude=files --exclude=index.json --exclude='lock.sqlite*' var/trademark/ other:/srv/onoma/var/trademark/":
    'needs rsync and a second machine',
  'rsync -a var/trademark/index.json other:/srv/onoma/var/trademark/': 'needs rsync and a second machine',
  'npm run train:valuation -- sales.csv': 'takes minutes; scripts/train-valuation.test.ts trains a small model',
  'npm run eval:valuation -- other-sales.csv --strict':
    'fails on invented sales as it should; scripts/train-valuation.test.ts measures a model made for them',
}

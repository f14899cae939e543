/**
 * Commands of the pages that the tests do not run, with the reason. commands.test.ts runs all other commands in `sh`,
 * `bash`, `console` and `crontab` blocks, and fails if a command listed here is not on any page.
 */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'downloads the packages that this very test runs with',
  'npm test': 'would run this test again',
  'docker compose --profile search up --build': 'needs Docker',
  'docker build -t onoma .': 'needs Docker',
  'docker compose exec onoma node bin/onoma.js doctor': 'needs Docker',
  'useradd --system --home-dir /var/lib/onoma --shell /usr/sbin/nologin onoma': 'changes this machine',
  'install -m 600 /dev/null /etc/onoma.env': 'changes this machine',
  'cp /srv/onoma/deploy/systemd/onoma.service /etc/systemd/system/': 'changes this machine',
  'systemctl daemon-reload': 'changes this machine; test/deploy.test.ts verifies the unit',
  'systemctl enable --now onoma': 'changes this machine',
  'journalctl -u onoma -f': 'needs the unit',
  'runuser -u onoma -- env ONOMA_DATA_DIR=/var/lib/onoma /srv/onoma/node_modules/.bin/node /srv/onoma/bin/onoma.js doctor':
    'needs the user of the unit',
  'claude mcp add --transport http onoma http://127.0.0.1:8080/mcp': 'needs Claude Code',
  'claude mcp add --env ONOMA_DATA_DIR=/srv/onoma/var --transport stdio onoma -- node /srv/onoma/bin/onoma.js mcp':
    'needs Claude Code',
  'npm run shots': 'takes half a minute and a Chromium; test/docs/pictures.test.ts checks what it has written',
  'docker compose up --build': 'needs Docker',
  'docker run --rm -p 127.0.0.1:8080:8080 -v onoma-data:/var/lib/onoma --security-opt seccomp=deploy/seccomp.json onoma':
    'needs Docker',
  "rsync -a --exclude=files --exclude=index.json --exclude='lock.sqlite*' var/trademark/ other:/srv/onoma/var/trademark/":
    'needs rsync and a second machine',
  'rsync -a var/trademark/index.json other:/srv/onoma/var/trademark/': 'needs rsync and a second machine',
  [`token=$(curl -s https://api.dropcatch.com/Authorize --json "{\\"clientId\\":\\"$ID\\",\\"clientSecret\\":\\"$SECRET\\"}" | jq -r .token)`]:
    'needs an account at DropCatch',
  [`curl -s -o dropcatch.zip -H "Authorization: Bearer $token" 'https://api.dropcatch.com/v2/downloads/auctions/AllAuctions?fileType=Csv'`]:
    'needs an account at DropCatch',
  'npm run train:valuation -- sales.csv': 'takes minutes; scripts/train-valuation.test.ts trains a small model',
  'npm run eval:valuation -- other-sales.csv --strict':
    'fails on invented sales as it should; scripts/train-valuation.test.ts measures a model made for them',
}

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { parseEnv } from 'node:util'
import { loadConfig } from './config.ts'
import type { Setting } from './table.ts'
import { SETTINGS } from './table.ts'

const all = Object.entries<Setting>(SETTINGS)
const used = all.filter(([, { kind }]) => kind)
const reserved = all.filter(([, { kind }]) => !kind)

function envExample(): string {
  const entry = ([name, { default: value, unset, meaning, secret }]: [string, Setting]) => {
    const without = unset === undefined ? '' : ` Without it: ${unset}.`
    const file = secret && !name.endsWith('*') ? ` May be read from the file named by ${name}_FILE.` : ''
    return `# ${meaning}${without}${file}\n#${name}=${value}\n`
  }
  return `# Everything an operator can set, with its default. Copy this file to .env and take the # off what you change.
# The real environment wins over .env. \`onoma config\` shows what is in force.

${used.map(entry).join('\n')}
# Known names that this version does not use yet; setting one gives a warning.

${reserved.map(entry).join('\n')}`
}

function settingsPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const row = ([name, { default: value, unset = '', meaning, secret }]: [string, Setting]) =>
    `| \`${name}\` | ${value === '' ? cell(unset) : `\`${value}\``} | ${cell(meaning)}${secret ? ' Secret.' : ''} |`
  const table = (settings: [string, Setting][]) =>
    `| setting | default | meaning |\n|---|---|---|\n${settings.map(row).join('\n')}\n`
  return `# Settings

Everything has a working default: with no setting at all the service starts. Settings come from the environment and
from a \`.env\` file in the working directory; where both name one, the environment wins. They are read once, at start.
A value that cannot be used, and an \`ONOMA_*\` name that is not listed here, stop the start with a sentence that says
what would be right. \`onoma config\` shows what is in force, with secrets masked.

A setting marked *Secret* may also be read from a file: set \`NAME_FILE\` to its path instead of \`NAME\`.
A setting left empty is a setting not made.

${table(used)}
## Known, but not used by this version yet

Setting one of these gives a warning at start and has no other effect. A \`*\` stands for the rest of a name.

${table(reserved)}`
}

for (const [path, content] of [
  ['.env.example', envExample()],
  ['docs/settings.md', settingsPage()],
] as const) {
  test(`${path} matches the settings table (ONOMA_UPDATE_GOLDEN=1 rewrites it)`, () => {
    const file = new URL(`../../../${path}`, import.meta.url)
    if (process.env['ONOMA_UPDATE_GOLDEN']) writeFileSync(file, content)
    assert.equal(readFileSync(file, 'utf8'), content)
  })
}

test('the example with all used settings uncommented is a valid configuration', () => {
  const uncommented = envExample()
    .split('# Known names')[0]!
    .replaceAll(/^#(?=[A-Z])/gm, '')
  const env = parseEnv(uncommented)
  assert.equal(Object.keys(env).length, used.length)
  // A default that is set explicitly counts as naming its host.
  const own = { metrics: null, namedHosts: {} }
  assert.deepEqual({ ...loadConfig(env), ...own }, { ...loadConfig({}), ...own })
})

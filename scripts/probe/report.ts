import { type Finding, STATUSES } from './probe.ts'

/** A table for the terminal: one line per provider, under a heading per group. */
export function formatTable(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ provider, host }) => provider.length + host.length)) + 2
  const lines = [...Map.groupBy(findings, ({ group }) => group)].flatMap(([group, rows]) => [
    '',
    group,
    ...rows.map(({ provider, host, status, detail, elapsedMs }) => {
      const who = `${provider}  ${host}`.padEnd(width)
      return `  ${status.padEnd(12)}${who}  ${String(elapsedMs).padStart(6)} ms  ${oneLine(detail)}`
    }),
  ])
  return [...lines, '', countsOf(findings), ''].join('\n')
}

/** How many findings have each status, in words. */
const countsOf = (findings: readonly Finding[]): string => {
  const counts = Object.keys(STATUSES).map((status) => {
    const count = findings.filter((finding) => finding.status === status).length
    return `${count} ${status}`
  })
  return `${findings.length} providers: ${counts.join(', ')}.`
}

type About = { readonly version: string; readonly at: string; readonly platform: string; readonly where: string }

/** Markdown to attach to an issue: the table, and what each provider answered whose answer was not read. */
export function formatReport(findings: readonly Finding[], { version, at, platform, where }: About): string {
  const rows = findings.map(
    ({ group, provider, host, status, detail, elapsedMs }) =>
      `| ${[group, provider, host, status, `${elapsedMs} ms`, oneLine(detail)].map(cell).join(' | ')} |`,
  )
  const answers = findings.filter(({ status }) => status !== 'ok').flatMap(formatExchanges)
  return [
    '# Providers and our readers',
    '',
    `onoma ${version} on ${platform}, ${at}, asked ${where}. ${countsOf(findings)}`,
    '',
    ...Object.entries(STATUSES).map(([status, meaning]) => `- **${status}**: ${meaning}`),
    '',
    '| Group | Provider | Host | Status | Time | What was read, or what is wrong |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(answers.length === 0 ? [] : ['## Answers that were not read', '', ...answers]),
  ].join('\n')
}

const formatExchanges = ({ group, provider, host, exchanges }: Finding): string[] => [
  `### ${group}: ${provider}, ${host}`,
  '',
  ...exchanges.flatMap(({ question, outcome, answer }) => [
    `\`${oneLine(question).replaceAll('`', "'")}\` → ${oneLine(outcome)}`,
    '',
    ...(answer === '' ? [] : [FENCE, printable(answer).replaceAll(FENCE, "'''"), FENCE, '']),
  ]),
  ...(exchanges.length === 0 ? ['Nothing was answered.', ''] : []),
]

const FENCE = '```'
const MAX_LINE_CHARACTERS = 300

const cell = (text: string): string => text.replaceAll('|', '\\|')
/** Answers are other people's text, and the report goes to terminals and web pages. */
const printable = (text: string): string => text.replaceAll(/[^\P{C}\n]/gu, '\u{fffd}')
const oneLine = (text: string): string => printable(text).replaceAll('\n', ' ').slice(0, MAX_LINE_CHARACTERS)

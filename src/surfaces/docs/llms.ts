import { ERRORS } from '../../kernel/errors.ts'
import { formatPrice } from '../mcp/tools.ts'
import { ERROR_ADVICE } from './error-advice.ts'
import { type FieldRow, inputRows, outputShapes } from './fields.ts'
import type { Guides } from './guides.ts'
import { errorPage, type Reference, type ReferenceEntry, titleOf } from './reference.ts'
import { samplesOf } from './samples.ts'

export type Texts = { readonly reference: Reference; readonly guides: Guides; readonly baseUrl: string }

const ABOUT =
  'One HTTP API for every name on the internet: is it free, who holds it, what is it worth, and how do I take it.'

/** Sections of the index of guides that help callers; the others are for operators and people who work on the code. */
const SECTIONS_FOR_CALLERS = 1

/** `/llms.txt`: what there is, one line each, with links. */
export const llmsText = ({ reference, guides, baseUrl }: Texts): string => `# Onoma

> ${ABOUT}

Base URL: ${baseUrl}. Answers are JSON. No account and no key; a few endpoints are paid per request (x402, MPP).
An error is {"error": "<code>", "message": "<sentence>"}. Unknown is said as unknown, with the reason: it never means available.
The same endpoints are MCP tools at ${baseUrl}/mcp.

${reference.groups
  .map(
    ({ name, description, entries }) => `## ${titleOf(name)}

${description}

${entries.map((entry) => `- ${linkTo(entry, baseUrl)}: ${entry.endpoint.summary}${noteOf(entry)}.`).join('\n')}
`,
  )
  .join('\n')}
${guides.sections
  .map(
    ({ title, guides: listed }) => `## ${title}

${listed.map(({ guide, about }) => `- [${guide.title}](${baseUrl}${guide.page}): ${about.replaceAll('`', '')}`).join('\n')}
`,
  )
  .join('\n')}
## For programs

- [OpenAPI 3.1](${baseUrl}/openapi.json): every field, example and error
- [All of it as one text](${baseUrl}/llms-full.txt)
- [Skill](${baseUrl}/skill.md): how an agent should use the service
- [Error codes](${baseUrl}/docs/errors): what to do about each
`

const linkTo = ({ endpoint, page }: ReferenceEntry, baseUrl: string): string =>
  `[${endpoint.method} ${endpoint.path}](${baseUrl}${page})`

const noteOf = ({ endpoint: { price, deprecated } }: ReferenceEntry): string =>
  `${price ? ` (paid: ${formatPrice(price)})` : ''}${deprecated ? ` (deprecated, use ${deprecated.successor})` : ''}`

/** `/llms-full.txt`: the whole reference and the guides for callers as one text. */
export const llmsFullText = ({ reference, guides, baseUrl }: Texts): string =>
  [
    `# Onoma

> ${ABOUT}

Base URL: ${baseUrl}`,
    ...reference.entries.map((entry) => endpointText(entry, baseUrl)),
    `## Error codes

${Object.entries(ERRORS)
  .map(
    ([code, { status, meaning }]) =>
      `- ${status} \`${code}\`: ${meaning} ${ERROR_ADVICE[code as keyof typeof ERRORS]} ${baseUrl}${errorPage(code)}`,
  )
  .join('\n')}`,
    ...guides.sections
      .slice(0, SECTIONS_FOR_CALLERS)
      .flatMap(({ guides: listed }) =>
        listed.map(({ guide }) => withoutFileLinks(guide.text).replace(/^# /, '## Guide: ')),
      ),
  ].join('\n\n')

/** Links between files lead nowhere outside the repository. */
const withoutFileLinks = (text: string): string => text.replaceAll(/!?\[([^\]]+)\]\((?!https?:)[^)\s]+\)/g, '$1').trim()

function endpointText({ endpoint, failures }: ReferenceEntry, baseUrl: string): string {
  const { method, path, summary, description, example, price, deprecated } = endpoint
  const [curl] = samplesOf(endpoint, baseUrl)
  const codes = [...new Set(failures.map(({ code, status }) => `${status} ${code}`))]
  return `## ${method} ${path}

${summary}. ${description}${price ? ` Price: ${formatPrice(price)}.` : ''}${deprecated ? ` Deprecated: use ${deprecated.successor}.` : ''}

Parameters:
${fieldLines(inputRows(endpoint))}

Response:
${outputShapes(endpoint)
  .map(({ title, rows }) => `${title === null ? '' : `${title}\n`}${fieldLines(rows)}`)
  .join('\n')}

Errors: ${codes.join(', ')}

\`\`\`sh
${curl!.text}
\`\`\`

\`\`\`json
${JSON.stringify(example.output)}
\`\`\``
}

const fieldLines = (rows: readonly FieldRow[]): string =>
  rows.length === 0
    ? '- none'
    : rows
        .map(
          ({ name, type, isRequired, description }) =>
            `- ${name} (${type}${isRequired ? ', required' : ''}): ${description}`,
        )
        .join('\n')

/** `/skill.md`: how an agent should use the service. */
export const skillText = ({ reference, guides, baseUrl }: Texts): string => `---
name: onoma
description: Look up names - whether a domain or ENS name is available, who holds it, its DNS, what it is worth, whether it is for sale or auctioned, and trademarks in the way. Use for any question about a name or domain.
---

# Onoma

Base URL: ${baseUrl}

Start with \`GET ${baseUrl}/v1/names/{name}?view=compact\`: everything about a name in one request of at most 2 KB.
Ask the other endpoints only for what is still missing.

## Rules

- A result is available, registered, reserved or unknown. Unknown is not available: say why it is unknown, and ask again later.
- Never say that a name is free of trademarks because nothing was found; say what was searched.
- Many names: one \`POST ${baseUrl}/v1/check/bulk\` instead of many requests.
- On 429 and 503 wait for the seconds in \`Retry-After\`.
- A paid endpoint answers 402 with a price first. Never pay without the consent of your user.
- ENS endpoints return transactions that are not signed. Nothing is registered until the user signs and sends them.
- Errors are {"error", "message"}: ${baseUrl}/docs/errors says what to do about each code.

## Endpoints

| request | answers | page |
|---|---|---|
${reference.entries
  .filter(({ endpoint }) => endpoint.deprecated === undefined)
  .map(({ endpoint, page }) => {
    const { method, path, summary, price } = endpoint
    return `| \`${method} ${path}\` | ${summary}${price ? ` (paid: ${formatPrice(price)})` : ''} | ${baseUrl}${page} |`
  })
  .join('\n')}

## With MCP

Connect to ${baseUrl}/mcp (streamable HTTP${guides.find('mcp') ? `; entries for clients: ${baseUrl}/docs/guides/mcp` : ''}). Each tool has the name of its endpoint.

More: ${baseUrl}/llms-full.txt (everything as text), ${baseUrl}/openapi.json (OpenAPI 3.1).
`

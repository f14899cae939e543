import type { ErrorCode } from '../../kernel/errors.ts'
import type { Components } from './components.ts'
import { plainErrorResponses } from './error-responses.ts'
import { EVERYWHERE, headersOf } from './headers.ts'
import type { Json } from './schemas.ts'

/** A path that is not an endpoint but is in the document: a file for GET. */
export type FileAddress = {
  /** Unique, like the name of an endpoint. */
  readonly name: string
  readonly capability: string
  readonly path: `/${string}`
  readonly summary: string
  readonly description: string
  /** The parameter in its path. */
  readonly parameter: { readonly name: string; readonly description: string; readonly example: string }
  readonly mediaType: string
  readonly errors: readonly ErrorCode[]
}

export function fileOperation(address: FileAddress, components: Components): Json {
  const { name, capability, summary, description, parameter, mediaType, errors } = address
  return {
    operationId: name,
    tags: [capability],
    summary,
    description,
    parameters: [
      {
        name: parameter.name,
        in: 'path',
        required: true,
        description: parameter.description,
        schema: { type: 'string' },
        example: parameter.example,
      },
    ],
    responses: {
      200: {
        description: 'The file.',
        headers: headersOf(EVERYWHERE, components),
        content: { [mediaType]: { schema: { type: 'string', contentMediaType: mediaType } } },
      },
      ...plainErrorResponses(errors, components),
    },
  }
}

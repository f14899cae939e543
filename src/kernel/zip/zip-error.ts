/** The zip is damaged, hostile or beyond a limit. The message is a clause without a full stop, and may be shown to users. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
}

export const refused = (reason: string) => new ZipError(`the zip is refused: ${reason}`)
export const cutOff = (reason: string) => new ZipError(`the zip is cut off: ${reason}`)
export const damaged = (reason: string, cause?: unknown) => new ZipError(`the zip is damaged: ${reason}`, { cause })

/** The token of `Authorization: Bearer …`; other schemes may stand beside it, separated by commas. */
export const parseBearer = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /(?:^|,)\s*bearer +([\w.~+/-]+=*)\s*(?:,|$)/i.exec(header)?.[1]

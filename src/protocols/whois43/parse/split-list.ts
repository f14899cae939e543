/** Splits a comma-separated list that may span several lines. */
export const splitList = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Lists of words, written as people read them: separated by commas, over as many lines as they need. */
export const words = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Lines of cells in columns: the first ones, which are words, to the left and figures to the right. */
export function table(lines: readonly (readonly string[])[], words = 2): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const pad = (cell: string, at: number) => (at < words ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))
  return lines.map((line) => line.map(pad).join('  ')).join('\n')
}

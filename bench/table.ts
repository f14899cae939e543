/** Formats rows as aligned columns: the first `textColumns` to the left, figures to the right. */
export function table(lines: readonly (readonly string[])[], textColumns = 2): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const pad = (cell: string, at: number) => (at < textColumns ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))
  return lines.map((line) => line.map(pad).join('  ')).join('\n')
}

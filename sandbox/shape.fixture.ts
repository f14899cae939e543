/** The elements of an XML document and the names of their attributes, without values; repeated ones count once. */
export const xmlShape = (xml: string): string[] =>
  [...new Set((xml.match(/<[\w/][^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, '')))].toSorted()

/** The keys of a JSON document with the types of their values; of a list, its first element. */
export function jsonShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(jsonShape)
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonShape(one)]))
}

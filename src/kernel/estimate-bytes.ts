/** More than any store accepts for one value: the walk ends here, also for a value with cycles. */
const MAX_ESTIMATE_BYTES = 4 * 1024 * 1024

/** About how much memory a plain value takes. Large parts (texts, bytes, long lists) dominate, and those are exact enough. */
export function estimateBytes(value: unknown): number {
  let bytes = 0
  const pending: unknown[] = [value]
  while (pending.length > 0 && bytes < MAX_ESTIMATE_BYTES) {
    const part = pending.pop()
    if (typeof part === 'string') bytes += 24 + part.length
    else if (typeof part !== 'object' || part === null) bytes += 8
    else if (ArrayBuffer.isView(part)) bytes += 64 + part.byteLength
    else if (part instanceof Map || part instanceof Set) {
      bytes += 64 + 32 * part.size
      for (const entry of part) pending.push(entry)
    } else if (Array.isArray(part)) {
      bytes += 32 + 8 * part.length
      for (const entry of part) pending.push(entry)
    } else {
      bytes += 32
      for (const key in part) {
        bytes += 8
        pending.push((part as Record<string, unknown>)[key])
      }
    }
  }
  return bytes
}

/** Whether a text has ASCII control characters. No field allows them: they break lines, terminals and logs. */
export function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit === 0x7f) return true
  }
  return false
}

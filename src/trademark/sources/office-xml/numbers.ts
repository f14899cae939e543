import type { Day } from '../../record.ts'
import { textOf } from './markup.ts'

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}

/** 20260115; null if there is no such day. The register writes 00000000 and 19870000 for unknown dates. */
function toDay(digits: number): Day | null {
  const year = Math.floor(digits / 10_000)
  const day = digits % 100
  return year > 0 && day > 0 && day <= daysIn(year, Math.floor(digits / 100) % 100) ? digits : null
}

/** The day in bytes[start, end), or null. */
export function dayOf(bytes: Buffer, start: number, end: number): Day | null {
  let digits = 0
  let isPlain = end - start === 8
  for (let at = start; at < end && isPlain; at++) {
    const digit = bytes[at]! - 0x30
    isPlain = digit >= 0 && digit <= 9
    digits = digits * 10 + digit
  }
  if (isPlain) return toDay(digits)
  const text = textOf(bytes, start, end)
  return /^\d{8}$/.test(text) ? toDay(Number(text)) : null
}

/** 20260115 → `2026-01-15`. */
export function isoOf(day: Day): string {
  let text = isoDays.get(day)
  if (text === undefined) {
    const digits = String(day).padStart(8, '0')
    text = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    if (isoDays.size >= MAX_CACHED_DAYS) isoDays.clear()
    isoDays.set(day, text)
  }
  return text
}

/** The register has five events for each of millions of records, on some fifty thousand days. */
const MAX_CACHED_DAYS = 100_000
const isoDays = new Map<Day, string>()

/** The whole number in bytes[start, end), or -1. */
export function countOf(bytes: Buffer, start: number, end: number): number {
  let count = 0
  let isPlain = end > start && end - start <= 9
  for (let at = start; at < end && isPlain; at++) {
    const digit = bytes[at]! - 0x30
    isPlain = digit >= 0 && digit <= 9
    count = count * 10 + digit
  }
  if (isPlain) return count
  const text = textOf(bytes, start, end)
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

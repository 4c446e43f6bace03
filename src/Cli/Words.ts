/** Numbers and paths as people read them. */
import { isAbsolute, relative } from "node:path"

/** `1 row`, `12,345 rows`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  // Languages are loaded when they are first asked, which takes longer than anything else here.
  `${number < 1000 ? number : number.toLocaleString("en-US")} ${number === 1 ? one : many}`

/** `512 B`, `1.2 kB`, `34 MB`. */
export const bytes = (size: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"]
  // 999.5 kB is rounded to 1.0 MB.
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size / 0.9995) / 3))
  const scaled = size / 1000 ** power
  return `${power > 0 && scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export const duration = (millis: number): string => {
  const seconds = Math.round(millis / 1000)
  if (millis < 9950) return `${(millis / 1000).toFixed(1)} s`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Relative to the current folder when it lies in it. */
export const place = (path: string): string => {
  if (path === "-") return "standard output"
  const near = relative(process.cwd(), path)
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near
}

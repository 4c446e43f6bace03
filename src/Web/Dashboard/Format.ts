/** Formats numbers, sizes, durations and times for all screens. */
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 })

/** `12,345`; a fraction has one decimal. */
export const count = (value: number): string => (Number.isInteger(value) ? whole : fine).format(value)

/** `3 rows`, `1 row`. */
export const many = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? "" : "s"}`

/** `12.3k`, for narrow places. */
export const brief = (value: number): string => {
  if (value < 10_000) return count(Math.round(value))
  return value < 1e6 ? `${fine.format(value / 1e3)}k` : `${fine.format(value / 1e6)}M`
}

export const rate = (perSecond: number): string =>
  perSecond === 0
    ? "0/s"
    : perSecond >= 0.95
      ? `${brief(perSecond)}/s`
      : perSecond * 60 >= 0.95
        ? `${Math.round(perSecond * 60)}/min`
        : `${fine.format(perSecond * 3600)}/h`

const units = ["B", "kB", "MB", "GB", "TB"]

export const size = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${fine.format(bytes / 1000 ** power)} ${units[power]}`
}

const two = (value: number): string => String(value).padStart(2, "0")

/** `420 ms`, `2.6 s`, `4:05 min`, `2:10 h`, `3 d 4 h`. */
export const span = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds < 10 ? fine.format(seconds) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(Math.floor(seconds % 60))} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}:${two(minutes % 60)} h` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** `5 min ago` or `in 5 min`. */
export const relative = (instant: number, now: number): string => {
  const distance = Math.abs(now - instant)
  if (distance < 5_000) return "now"
  const minutes = Math.floor(distance / 60_000)
  const text =
    minutes < 1
      ? `${Math.floor(distance / 1000)} s`
      : minutes < 60
        ? `${minutes} min`
        : minutes < 48 * 60
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / 1440)} d`
  return instant <= now ? `${text} ago` : `in ${text}`
}

const dateOf = (value: Date): string => `${value.getFullYear()}-${two(value.getMonth() + 1)}-${two(value.getDate())}`

export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

export const day = (instant: number): string => dateOf(new Date(instant))

/** `UTC`, `UTC+1` or `UTC-3:30`: the time zone of the browser at this time. */
const zone = (value: Date): string => {
  const minutes = -value.getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${two(rest)}`}`
}

const timeOf = (value: Date): string => `${two(value.getHours())}:${two(value.getMinutes())}`

/** `07:05 UTC+1`. */
export const clock = (instant: number): string => `${timeOf(new Date(instant))} ${zone(new Date(instant))}`

/** `2026-11-22 07:05:09 UTC+1` in the time zone of the browser. */
export const moment = (instant: number): string => {
  const value = new Date(instant)
  return `${dateOf(value)} ${timeOf(value)}:${two(value.getSeconds())} ${zone(value)}`
}

/** Short form: `07:05 UTC+1` today, `11-22 07:05 UTC+1` this year, else with the year. */
export const short = (instant: number, now: number): string =>
  day(instant) === day(now)
    ? clock(instant)
    : `${day(instant).slice(day(instant).startsWith(day(now).slice(0, 5)) ? 5 : 0)} ${clock(instant)}`

export const percent = (share: number): string => `${share > 0 && share < 0.01 ? "<1" : Math.round(share * 100)} %`

/** A month as a grid of weeks, in the time of whoever looks. */

export interface Day {
  /** `2026-11-22` */
  readonly name: string
  readonly number: number
  readonly from: number
  readonly to: number
  readonly isInMonth: boolean
}

/** `2026-11` */
export const monthOf = (instant: number): string => {
  const date = new Date(instant)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`
}

const parts = (month: string): readonly [year: number, index: number] => {
  const [year = 1970, number = 1] = month.split("-").map(Number)
  return [year, number - 1]
}

export const isMonth = (text: string | null): text is string => text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

export const beside = (month: string, by: number): string => {
  const [year, index] = parts(month)
  return monthOf(new Date(year, index + by, 1).getTime())
}

const title = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" })

export const titleOf = (month: string): string => title.format(new Date(...parts(month), 1))

/** Whole weeks, from Monday on. Days are as long as clocks make them. */
export const daysOf = (month: string): ReadonlyArray<Day> => {
  const [year, index] = parts(month)
  const before = (new Date(year, index, 1).getDay() + 6) % 7
  const weeks = Math.ceil((before + new Date(year, index + 1, 0).getDate()) / 7)
  return Array.from({ length: weeks * 7 }, (_, offset) => {
    const date = new Date(year, index, 1 - before + offset)
    const from = date.getTime()
    return {
      name: `${monthOf(from)}-${String(date.getDate()).padStart(2, "0")}`,
      number: date.getDate(),
      from,
      to: new Date(year, index, 2 - before + offset).getTime(),
      isInMonth: date.getMonth() === index
    }
  })
}

export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

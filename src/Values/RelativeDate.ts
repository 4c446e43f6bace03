/** Dates relative to now: `2 days ago`, `in 1 hour and 5 minutes`, `yesterday`. */
import { wordKey } from "./DateWords.ts"
import { type Distance, isMarked, phraseKey, type RelativeWords, type Unit, unmarked } from "./RelativeWords.ts"

/** An amount of one unit; `1 year 2 months ago` has two steps. Negative for the past. */
export interface Step {
  readonly unit: Unit
  readonly amount: number
}

/** Words that make an amount approximate. They are ignored. */
const fillers = new Set(
  `about around approximately approx roughly almost nearly over more than less some circa ca etwa ungefähr rund fast environ presque près de cerca aproximadamente
  unos unas casi aprox uns umas quase circa quasi più di ongeveer ruim bijna omkring ungefär cirka nästan ca noin około ponad prawie asi přibližně zhruba
  přes približne okolo около примерно приблизительно почти більше близько приблизно каля прыкладна около почти приблизително oko otprilike približno
  körülbelül kb περίπου yaklaşık aşağı yukarı حوالي تقريبا حدود تقریبا लगभग करीब প্রায় প্রায় khoảng ประมาณ kira-kira sekitar lebih kurang 约 大约 約 大約 약 mga humigit-kumulang
  omtrent rundt aproximativ vreo`
    .split(/\s+/)
    .map(wordKey)
)

/** Matches words for "about" that have no space after them: `大约2小时前`. */
const attachedFillers = /^(大约|大約|约|約|약|およそ)(?=\s?\d)/

const single = (key: string, words: RelativeWords): Distance | undefined => {
  const phrase = words.phrases.get(key)
  if (phrase !== undefined) return phrase
  for (const marker of words.markers) {
    const unit = isMarked(key, marker) ? words.units.get(unmarked(key, marker)) : undefined
    if (unit !== undefined) return { unit, sign: marker.sign }
  }
  // An amount alone, such as `3 h`, is in the past.
  const unit = words.units.get(key)
  return unit === undefined ? undefined : { unit, sign: -1 }
}

const withoutJoin = (text: string, { joins }: RelativeWords): string => {
  const join = joins.find((word) => text.endsWith(word) && text.length > word.length)
  return join === undefined ? text : text.slice(0, -join.length)
}

const stepsOf = (
  key: string,
  numbers: ReadonlyArray<number>,
  words: RelativeWords
): ReadonlyArray<Step> | undefined => {
  const pieces = key.split("#")
  const [start = "", ...rest] = pieces
  const end = rest.at(-1) ?? ""
  const last = single(`${start}#${end}`, words)
  if (last === undefined) return undefined
  const steps: Array<Step> = []
  for (const [index, piece] of rest.entries()) {
    const unit =
      index === rest.length - 1
        ? last.unit
        : (words.units.get(`#${piece}`) ?? words.units.get(`#${withoutJoin(piece, words)}`))
    if (unit === undefined) return undefined
    steps.push({ unit, amount: last.sign * (numbers[index] ?? 0) })
  }
  return steps
}

/** Maximum digits of an amount; longer numbers mean something else. */
const maxDigits = 3

/** Reads text without a time of day. Undefined unless every word has a meaning. */
export const relativeSteps = (text: string, words: RelativeWords): ReadonlyArray<Step> | undefined => {
  const whole = attempt(text, words)
  if (whole !== undefined) return whole
  const pieces = text.replace(attachedFillers, "").split(" ")
  const shorter = pieces.filter((word) => !fillers.has(wordKey(word)))
  const rest = shorter.join(" ")
  return rest === text || shorter.length === 0 ? undefined : attempt(rest, words)
}

const attempt = (text: string, words: RelativeWords): ReadonlyArray<Step> | undefined => {
  const numbers: Array<number> = []
  const key = phraseKey(text).replace(/\d+/g, (digits) => {
    numbers.push(digits.length > maxDigits ? Number.NaN : Number(digits))
    return "#"
  })
  if (numbers.some(Number.isNaN) || /\d(?:[.,]|\s+)\d/.test(text)) return undefined
  if (numbers.length > 0) return stepsOf(key, numbers, words)
  const named = words.named.get(key)
  if (named !== undefined) return [{ unit: named.unit, amount: named.sign }]
  const inWords = text.split(/(?<=[一二两兩三四五六七八九十])|(?=[一二两兩三四五六七八九十])| |-/).map((word) => {
    const number = words.numbers.get(wordKey(word))
    return number === undefined ? word : String(number)
  })
  const counted = inWords.join(" ")
  return /\d/.test(counted) ? attempt(counted, words) : undefined
}

/** Placeholders in recordings for URLs, ids and times that differ in every run. */
import { canParse } from "../../Api/Url.ts"

/** Values of the placeholders. */
export interface Values {
  /** URL of the site of a pipeline test, `http://127.0.0.1:port`. */
  readonly site?: string | undefined
  /** Base URL of a service on this machine. The URL of a remote service is recorded unchanged. */
  readonly service?: string | undefined
  readonly runId?: string | undefined
}

const mark = "(?:site|service)(?:\\.host|\\.encoded)?|runId|now(?:\\+\\d+h)?"
/** Content that looks like a placeholder. Escaped by an additional `=`, as in `{=site}`. */
const lookalike = new RegExp(`\\{(?==*(?:${mark})\\})`, "g")
const marks = new RegExp(`\\{(=*)(${mark})\\}`, "g")

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

const spellings = (name: "site" | "service", address: string | undefined) => {
  if (address === undefined || !canParse(address)) return []
  return [
    { mark: `{${name}.encoded}`, text: encodeURIComponent(address) },
    { mark: `{${name}}`, text: address },
    { mark: `{${name}.host}`, text: new URL(address).host }
  ]
}

const all = ({ runId, service, site }: Values) => [
  ...spellings("site", site),
  ...spellings("service", service),
  ...(runId === undefined ? [] : [{ mark: "{runId}", text: runId }])
]

/** True for a URL on this machine. */
export const isLocal = (address: string): boolean =>
  canParse(address) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)

/** Replaces the values by placeholders. */
export const hide = (values: Values): ((text: string) => string) => {
  const known = all(values)
  if (known.length === 0) return (text) => text.replace(lookalike, "{=")
  // `127.0.0.1:80` must not match in `127.0.0.1:8080`.
  const pattern = new RegExp(known.map(({ text }) => `${quote(text)}(?!\\d)`).join("|"), "g")
  return (text) =>
    text.replace(lookalike, "{=").replace(pattern, (found) => known.find((each) => each.text === found)?.mark ?? found)
}

/** Replaces placeholders by the values, and relative times by absolute ones, counted from `now`. */
export const reveal = (values: Values, now: Date): ((text: string) => string) => {
  const known = new Map(all(values).map(({ mark, text }) => [mark, text]))
  const moment = (name: string) =>
    new Date(now.getTime() + 3_600_000 * Number(/\+(\d+)h$/.exec(name)?.[1] ?? 0)).toISOString()
  return (text) =>
    text.replace(marks, (found, escaped: string, name: string) => {
      if (escaped !== "") return `{${escaped.slice(1)}${name}}`
      return name.startsWith("now") ? moment(name) : (known.get(found) ?? found)
    })
}

/** Replaces times between the start of a recording and two days after its end by `{now+…h}`. */
export const hideTimes = (begin: number, end: number): ((text: string) => string) => {
  const pattern = /(?<![\d.])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g
  return (text) =>
    text.replace(pattern, (found) => {
      const at = Date.parse(found)
      if (!(at >= begin - 1000 && at <= end + 48 * 3_600_000)) return found
      if (at <= end + 1000) return "{now}"
      return `{now+${Math.round((at - end) / 3_600_000)}h}`
    })
}

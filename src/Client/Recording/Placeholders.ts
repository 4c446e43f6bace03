/** Addresses that are others in every run, and the marks that stand for them in a recording. */
import { canParse } from "../../Api/Url.ts"

/** Addresses and start time while a recording is made or replayed. */
export interface Places {
  /** Of the pipeline's own site, `http://127.0.0.1:port`. */
  readonly site?: string | undefined
  /** Address of a local service. A remote one is recorded with its host name. */
  readonly service?: string | undefined
  /** The id of the run, which is drawn for each. */
  readonly runId?: string | undefined
}

const mark = "(?:site|service)(?:\\.host|\\.encoded)?|runId|now(?:\\+\\d+h)?"
/** Page content that looks like a placeholder is escaped with one more `=`, as in `{=site}`. */
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

const all = ({ runId, service, site }: Places) => [
  ...spellings("site", site),
  ...spellings("service", service),
  ...(runId === undefined ? [] : [{ mark: "{runId}", text: runId }])
]

/** True for an address on this machine: what is served there may be somewhere else tomorrow. */
export const isHere = (address: string): boolean =>
  canParse(address) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)

/** Puts marks where the addresses are. */
export const hide = (places: Places): ((text: string) => string) => {
  const known = all(places)
  if (known.length === 0) return (text) => text.replace(lookalike, "{=")
  // `127.0.0.1:80` is no part of `127.0.0.1:8080`.
  const pattern = new RegExp(known.map(({ text }) => `${quote(text)}(?!\\d)`).join("|"), "g")
  return (text) =>
    text.replace(lookalike, "{=").replace(pattern, (found) => known.find((each) => each.text === found)?.mark ?? found)
}

/** Replaces placeholders by addresses, and relative times by times from `now` on. */
export const reveal = (places: Places, now: Date): ((text: string) => string) => {
  const known = new Map(all(places).map(({ mark, text }) => [mark, text]))
  const instant = (name: string) =>
    new Date(now.getTime() + 3_600_000 * Number(/\+(\d+)h$/.exec(name)?.[1] ?? 0)).toISOString()
  return (text) =>
    text.replace(marks, (found, escaped: string, name: string) => {
      if (escaped !== "") return `{${escaped.slice(1)}${name}}`
      return name.startsWith("now") ? instant(name) : (known.get(found) ?? found)
    })
}

/** Replaces times between the start of a recording and two days after its end by their distance from now. */
export const hideInstants = (begin: number, end: number): ((text: string) => string) => {
  const pattern = /(?<![\d.])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g
  return (text) =>
    text.replace(pattern, (found) => {
      const at = Date.parse(found)
      if (!(at >= begin - 1000 && at <= end + 48 * 3_600_000)) return found
      if (at <= end + 1000) return "{now}"
      return `{now+${Math.round((at - end) / 3_600_000)}h}`
    })
}

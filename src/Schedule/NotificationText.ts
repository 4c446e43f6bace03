/** Formats notifications as JSON, as the text and HTML of an e-mail, and as Slack blocks. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { sha256 } from "../Row/Hash.ts"
import { escapeContent, escapeHtml, printableLine } from "../Values/Text.ts"
import type { Notification } from "./Model.ts"

const Fields = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Change = Schema.Struct({
  change: Schema.String,
  key: Schema.String,
  summary: Schema.optional(Schema.String),
  diff: Schema.optional(Schema.String),
  before: Schema.optional(Fields),
  after: Schema.optional(Fields)
})
type Change = typeof Change.Type

/** Schema of the fields of an event that messages show. The JSON of an event has more, for programs. */
const Body = Schema.Struct({
  event: Schema.String,
  scheduledTime: Schema.optional(Schema.String),
  /** Name of `scheduledTime` in version 0.1, for notifications that it has stored. */
  instant: Schema.optional(Schema.String),
  reason: Schema.optional(Schema.String),
  runId: Schema.optional(Schema.String),
  changes: Schema.optional(Schema.Array(Change)),
  changesTotal: Schema.optional(Schema.Number),
  repair: Schema.optional(
    Schema.Struct({
      changes: Schema.Array(
        Schema.Struct({
          field: Schema.String,
          from: Schema.optional(Schema.String),
          to: Schema.String,
          proof: Schema.String
        })
      ),
      command: Schema.String
    })
  )
})
type Body = typeof Body.Type

const decodeBody = Schema.decodeUnknownOption(Schema.parseJson(Body))

type Sent = Pick<Notification, "body" | "event" | "id" | "pipeline">

const bodyOf = ({ body, event }: Sent): Body => Option.getOrElse(decodeBody(body), () => ({ event }))

const jsonOf = ({ body, id }: Sent): object => ({ id, ...JSON.parse(body) })

/** Notifications that are sent together, with the id by which the receiver recognises a repeated delivery. */
export interface Message {
  readonly id: string
  readonly pipeline: string
  /** At least one; several form a digest. */
  readonly parts: ReadonlyArray<Sent>
}

export const messageOf = (parts: readonly [Sent, ...ReadonlyArray<Sent>]): Message => {
  const [first] = parts
  const id = parts.length === 1 ? first.id : sha256(parts.map((each) => each.id).join(" ")).slice(0, 32)
  return { id, pipeline: first.pipeline, parts }
}

/** JSON for webhooks and commands: the event, or `event: digest` with all events. */
export const json = ({ id, parts, pipeline }: Message): string => {
  const all = parts.map(jsonOf)
  return JSON.stringify(parts.length === 1 ? all[0] : { id, event: "digest", pipeline, notices: all })
}

const short = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text

const valueText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"))

/**
 * Lists each field that differs, as `price: 19.99 → 17.5`; for a new or gone row, lists its values. The state does not store long fields,
 * so a field that is missing in `before` may have had a value.
 */
const valuesText = ({ after, before }: Change): string => {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => [name, before?.[name], after?.[name]] as const)
    .filter(([, then, now]) => JSON.stringify(then) !== JSON.stringify(now))
    .map(([name, then, now]) =>
      then === undefined || after === undefined
        ? `${name}: ${valueText(now ?? then)}`
        : `${name}: ${valueText(then)} → ${valueText(now)}`
    )
    .join(", ")
}

const sentenceOf = (each: Change): string => {
  const { change, key, summary } = each
  const values = valuesText(each)
  const happened = change === "new" || change === "gone" ? `is ${change}` : "has changed"
  return summary ?? `${key} ${happened}${values === "" ? "" : ` (${values})`}.`
}

const totalOf = ({ changes = [], changesTotal }: Body): number => changesTotal ?? changes.length

/** Maximum characters of a subject. */
const maxSubject = 140

/** Describes the event in one line. */
export const subject = ({ parts, pipeline }: Message): string => {
  const bodies = parts.map(bodyOf)
  const changes = bodies.flatMap(({ changes = [] }) => changes)
  const total = bodies.reduce((sum, each) => sum + totalOf(each), 0)
  const others = bodies.filter(({ event }) => event !== "changed")
  const [only] = changes
  const said = [
    total === 0 ? "" : total === 1 && only !== undefined ? printableLine(sentenceOf(only)) : `${total} changes`,
    ...new Set(others.map(({ event, reason }) => (reason === undefined ? event : `${event}: ${printableLine(reason)}`)))
  ].filter((each) => each !== "")
  return short(`${printableLine(pipeline)}: ${said.join("; ")}`, maxSubject)
}

/** Lists each field with its old and new selector and the proof, then the command that applies the changes. */
const repairText = ({ changes, command }: NonNullable<Body["repair"]>): string => {
  const fields = changes.map(
    ({ field, from, proof, to }) => `${field}: ${from === undefined ? "" : `${from} → `}${to} (${proof})`
  )
  return `A repair is proved, but not applied yet: ${fields.join("; ")}. Apply it with: ${command}`
}

/** Paragraph of a message: one for each change, and one for each other event. */
interface Paragraph {
  readonly title: string
  readonly link: string | undefined
  readonly diff: string | undefined
}

const isLink = (key: string): boolean => /^https?:\/\/\S+$/.test(key)

const paragraphs = ({ parts }: Message): ReadonlyArray<Paragraph> =>
  parts.map(bodyOf).flatMap((body): ReadonlyArray<Paragraph> => {
    const { changes = [], event, instant, reason, repair, runId, scheduledTime = instant } = body
    if (event !== "changed") {
      const what = reason === undefined ? event : `${event}: ${reason}`
      const title = `${what} (${[scheduledTime, runId].filter(Boolean).join(", ")})`
      const alone = { link: undefined, diff: undefined }
      return repair === undefined
        ? [{ title, ...alone }]
        : [
            { title, ...alone },
            { title: repairText(repair), ...alone }
          ]
    }
    const rest = totalOf(body) - changes.length
    return [
      ...changes.map((change) => ({
        title: sentenceOf(change),
        link: isLink(change.key) ? change.key : undefined,
        diff: change.diff === "" ? undefined : change.diff
      })),
      ...(rest > 0
        ? [
            {
              title: `${rest === 1 ? "1 more change" : `${rest} more changes`}: the dashboard lists the stored changes (sluice ui, Watches).`,
              link: undefined,
              diff: undefined
            }
          ]
        : [])
    ]
  })

const indented = (text: string): string => text.replace(/^/gm, "    ")

/** Plain text of an e-mail. */
export const text = (message: Message): string =>
  paragraphs(message)
    .map(({ diff, link, title }) =>
      [title, link, diff === undefined ? undefined : `\n${indented(diff)}`]
        .filter((line) => line !== undefined)
        .join("\n")
    )
    .join("\n\n")

const diffHtml = (diff: string): string =>
  escapeHtml(diff)
    .replaceAll("[-", '<del style="color:#a40000">')
    .replaceAll("-]", "</del>")
    .replaceAll("{+", '<ins style="color:#006400">')
    .replaceAll("+}", "</ins>")

/** HTML of an e-mail: the text of {@link text} with coloured diffs. */
export const html = (message: Message): string =>
  paragraphs(message)
    .map(
      ({ diff, link, title }) =>
        `<p>${escapeHtml(title)}${link === undefined ? "" : `<br><a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`}</p>${
          diff === undefined ? "" : `<pre style="white-space:pre-wrap">${diffHtml(diff)}</pre>`
        }`
    )
    .join("\n")

/** Limits of Slack, which refuses messages with more blocks and blocks with longer texts. */
const [maxBlocks, maxBlockText] = [50, 3000]

/** Escaped text of at most `most` characters, never cut inside a character or an entity such as `&amp;`. */
const slackText = (text: string, most: number): string => {
  const escaped = escapeContent(text)
  if (escaped.length <= most) return escaped
  return `${escaped.slice(0, most - 1).replace(/&[a-z]{0,3}$/, "")}…`
}

const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } }) as const

/** JSON for an incoming webhook in Slack. */
export const slack = (message: Message): string => {
  const all = paragraphs(message).flatMap(({ diff, link, title }) => {
    const lead = link === undefined ? "" : `${slackText(link, 1000)}\n`
    const said = section(`${lead}${slackText(title, maxBlockText - lead.length)}`)
    if (diff === undefined) return [said]
    return [said, section(`\`\`\`${slackText(diff.replaceAll("```", "'''"), maxBlockText - 6)}\`\`\``)]
  })
  const title = section(`*${slackText(subject(message).replaceAll("*", "∗"), 1000)}*`)
  const room = maxBlocks - 2
  const more = all.length > room ? [section("More changes are listed in the dashboard (sluice ui, Watches).")] : []
  return JSON.stringify({
    text: slackText(subject(message), maxBlockText),
    blocks: [title, ...all.slice(0, room), ...more],
    unfurl_links: false
  })
}

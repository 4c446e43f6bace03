/** Output of a watch: changes with a coloured word diff, errors when they start and end, and learned rules. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Snapshot } from "../../Change/Compare.ts"
import type { Template } from "../../Change/Learned.ts"
import type { ChangeRecord } from "../../Step/ChangeHistory.ts"
import { printableLine } from "../../Values/Text.ts"
import * as Time from "../Schedule/Time.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"

const decodePage = Schema.decodeUnknownOption(Snapshot)

/** Text of a page at its last visit; undefined if the entry is not a page. */
export const textOf = (value: unknown): string | undefined =>
  Option.getOrUndefined(Option.map(decodePage(value), ({ blocks }) => blocks.map(({ text }) => text).join("\n")))

/** True if the page is longer than the text that is stored of it. */
export const isCut = (value: unknown): boolean => Option.exists(decodePage(value), (page) => page.isCut === true)

/** True if the last visit found less than a tenth of the page's earlier blocks: the next visit decides whether the page has changed. */
export const isDoubtful = (value: unknown): boolean =>
  Option.exists(decodePage(value), (page) => page.doubtful !== undefined)

const now = (at: number): string => Time.show(at - (at % 1000), Intl.DateTimeFormat().resolvedOptions().timeZone)

const coloured = (line: string, dye: Paint): string =>
  line.startsWith("# ")
    ? dye.bold(line)
    : line.replace(/\[-(.*?)-\]|\{\+(.*?)\+\}/g, (mark, removed?: string) =>
        removed === undefined ? dye.green(mark) : dye.red(mark)
      )

const sentenceOf = ({ change, summary }: ChangeRecord): string =>
  summary ?? (change === "new" ? "New." : change === "gone" ? "It is gone." : "It has changed.")

/** Renders a change: time, page, sentence and diff. */
export const change = (record: ChangeRecord, out: Channel): string => {
  const dye = paint(out)
  const diff = (record.diff ?? "").split("\n").filter((line) => line !== "")
  return [
    `${dye.dim(now(record.at))}  ${dye.bold(printableLine(record.key))}`,
    `  ${printableLine(sentenceOf(record))}`,
    ...diff.map((line) => `    ${coloured(line, dye)}`),
    ""
  ].join("\n")
}

export const changeObject = ({ at, change, diff, key, run, summary }: ChangeRecord) => ({
  at: new Date(at).toISOString(),
  change,
  key,
  summary: summary ?? null,
  diff: diff ?? null,
  runId: run
})

const templateOf = ({ parts }: Template): string =>
  parts.map((part) => (typeof part === "string" ? part : "…")).join(" ")

/** Learned rules of a page, one per line. */
export const learnedOf = (value: unknown): ReadonlyArray<string> =>
  Option.match(decodePage(value), {
    onNone: () => [],
    onSome: ({ learned }) => [
      ...learned.templates.map((template) => `“${printableLine(templateOf(template))}”`),
      ...learned.places.map(() => "blocks that come and go at one place"),
      ...learned.sections.map((section) => `everything under “${printableLine(section)}”`),
      ...(learned.blocks.length === 0
        ? []
        : [
            learned.blocks.length === 1
              ? "a block that comes and goes"
              : `${learned.blocks.length} blocks that come and go`
          ]),
      ...learned.parameters.map((name) => `the parameter ${printableLine(name)} of links`),
      ...learned.prefixes.map((prefix) => `links that begin with ${printableLine(prefix)}`)
    ]
  })

/** Finds what is asked about and prints it. */
import * as Effect from "effect/Effect"
import { registryOf } from "../../Pipeline/Check.ts"
import { type Entry, type Reference, reference } from "../../Pipeline/Reference.ts"
import { read } from "../../Pipeline/Source.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import { everywhere } from "../Arguments.ts"
import { NothingToExplain } from "../Errors.ts"
import type { ExplainParameters } from "../Explain.ts"
import type { Terminal } from "../Terminal.ts"
import type { Verb } from "../Verb.ts"
import { type Chapter, entryChapter, topics } from "./Chapter.ts"
import { commands } from "./Commands.ts"
import { book, markdown } from "./Markdown.ts"
import { overview, page } from "./Page.ts"

const entriesOf = ({ sinks, steps }: Reference): ReadonlyArray<Entry> => [...steps, ...sinks]

/** The whole reference as Markdown. */
export const wholeBook = (all: Reference, verbs: ReadonlyArray<Verb>): string => {
  const [frame, keys, ...others] = topics(all)
  const chapters = (entries: ReadonlyArray<Entry>) => entries.map((entry) => entryChapter(entry, all))
  return book([
    { title: "Definition", chapters: [frame, keys].filter((each) => each !== undefined) },
    { title: "Steps", chapters: chapters(all.steps) },
    { title: "Sinks", chapters: chapters(all.sinks) },
    { title: "Around them", chapters: others },
    { title: "Command line", chapters: commands(verbs, everywhere) }
  ])
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const program = (options: ExplainParameters, { out }: Terminal, verbs: ReadonlyArray<Verb>) =>
  Effect.gen(function* () {
    const { definition } = options
    const registry = definition === undefined ? undefined : yield* Effect.flatMap(read(definition), registryOf)
    const all = reference(registry?.steps)
    const around = topics(all)
    const { name } = options
    if (name === undefined) {
      return out.write(options.markdown ? wholeBook(all, verbs) : options.json ? json(all) : overview(all, around, out))
    }
    const entry = entriesOf(all).find(({ key }) => key === name)
    const chapter: Chapter | undefined =
      entry === undefined ? around.find((each) => each.name === name) : entryChapter(entry, all)
    if (chapter === undefined) {
      const names = [...entriesOf(all).map(({ key }) => key), ...around.map((each) => each.name)]
      return yield* new NothingToExplain({ name, hint: didYouMean(name, names) })
    }
    out.write(
      options.markdown ? `${markdown(chapter, 1)}\n` : options.json ? json(entry ?? chapter) : page(chapter, out)
    )
  })

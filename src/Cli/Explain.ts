/** `sluice explain`: documents the pipeline language, from the schemas that check definitions. */
import * as Effect from "effect/Effect"
import { registryOf } from "../Pipeline/Check.ts"
import { type Entry, type Reference, reference } from "../Pipeline/Reference.ts"
import { read } from "../Pipeline/Source.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { everywhere } from "./Arguments.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { type Chapter, commands, entryChapter, frameChapter, topics } from "./Explain/Chapter.ts"
import { book, markdown, overview, page } from "./Explain/Render.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import type { LoadedVerb } from "./Verb.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  name: Parameter.optional(
    "NAME",
    "A step, a sink, a key of a definition such as login, or one of keys, frame, expressions, settings, exit-codes."
  ),
  definition: Parameter.text("FILE", "Also explains the steps that the extensions of this definition add."),
  "allow-code": SharedFlags.allowCode,
  json: Parameter.toggle("Prints the explanation as one JSON object on stdout."),
  markdown: Parameter.toggle("Prints the explanation as Markdown; without NAME, the whole reference.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  parameters,
  examples: [
    { line: "sluice explain", what: "everything that can be explained" },
    { line: "sluice explain crawl", what: "one step" },
    { line: "sluice explain expressions", what: "the functions of expressions" },
    { line: "sluice explain --definition shop.yaml --allow-code", what: "with the project's own steps" }
  ],
  run: (options, terminal, verbs) => run(options, terminal, verbs)
})

/** Key at the top of a definition to which a field belongs: `notify` for `notify[].on`. */
const topOf = (name: string): string => name.split(/[.[]/)[0] ?? name

const entriesOf = ({ sinks, steps }: Reference): ReadonlyArray<Entry> => [...steps, ...sinks]

/** The complete reference as Markdown. */
export const wholeBook = (all: Reference, verbs: ReadonlyArray<LoadedVerb>): string => {
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

const run = (options: Options, { out }: Terminal, verbs: ReadonlyArray<Verb.Verb>) =>
  Effect.gen(function* () {
    const { definition } = options
    const registry = definition === undefined ? undefined : yield* Effect.flatMap(read(definition), registryOf)
    const all = reference(registry?.steps)
    const around = topics(all)
    const { name } = options
    if (name === undefined) {
      if (options.markdown) return out.write(wholeBook(all, yield* Effect.promise(() => Verb.loadVerbs(verbs))))
      return out.write(options.json ? json(all) : overview(all, around, out))
    }
    const entry = entriesOf(all).find(({ key }) => key === name)
    const chapter: Chapter | undefined =
      entry === undefined
        ? (around.find((each) => each.name === name) ?? frameChapter(topOf(name), all))
        : entryChapter(entry, all)
    if (chapter === undefined) {
      const names = [
        ...entriesOf(all).map(({ key }) => key),
        ...around.map((each) => each.name),
        ...all.frame.map((each) => topOf(each.name))
      ]
      const hint = didYouMean(name, names) || ": `sluice explain` lists all of them"
      return yield* wrongUsage(`there is no step, sink, key or topic "${name}"${hint}`)
    }
    out.write(
      options.markdown ? `${markdown(chapter, 1)}\n` : options.json ? json(entry ?? chapter) : page(chapter, out)
    )
  })

/** Mistakes in a first definition are told with what to write. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it } from "../It.ts"

const messagesOf = (text: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", text), (source) =>
    check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: true })
  ).pipe(
    Effect.match({
      onFailure: ({ issues }) => issues.map(({ message }) => message).join("\n"),
      onSuccess: () => ""
    }),
    Effect.provide(Path.layer)
  )

const frame = "version: 1\nname: p\n"
const step = (text: string) => `${frame}steps:\n  - urls: [https://a.example/]\n  - ${text}\n`

describe("a mistake in a first definition", () => {
  it.effect.each<readonly [text: string, message: string]>([
    [step("filter: price < 10"), 'there is no step "filter": the step for it is "where"'],
    [step("uniq: url"), 'there is no step "uniq": the step for it is "dedupe"'],
    [step("map: { a: url }"), 'there is no step "map": the step for it is "select"'],
    [`${frame}steps: []\n`, "has no step: begin with one that gives rows, like urls or crawl"],
    [`${frame}steps:\n  urls: [https://a.example/]\n`, 'expected an array, got an object: begin each step with "- "'],
    [`${frame}steps:\n`, 'expected an array, got null: begin each step with "- "'],
    ["name: p\nsteps:\n  - urls: [https://a.example/]\n", '"version" is missing: write version: 1'],
    [step("crawl: https://a.example/"), ', did you mean { url: "https://a.example/" }?'],
    [step("write: out.csv"), ', did you mean { csv: "out.csv" }?'],
    [step("write: out/rows.jsonl"), ', did you mean { jsonl: "out/rows.jsonl" }?'],
    [step('crawl: { url:"https://a.example/" }'), 'a space is missing after "url:"'],
    [step("crawl: { url:https://a.example/ }"), 'a space is missing after "url:"'],
    [
      `secrets: [TOKEN]\n${step("where: url")}`,
      'unknown key "secrets": they need no declaration, write ${{ secrets.NAME }} where one is used'
    ]
  ])("says what to write: %s", ([text, message]) =>
    Effect.map(messagesOf(text), (found) => expect(found).toContain(message))
  )
})

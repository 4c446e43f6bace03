/** Runs a recipe of the documentation in a folder of its own, against a small server, and reads what it writes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sluice } from "../Cli/Console.ts"
import { folderOf } from "../Cli/Project.ts"
import { pages } from "../docs/Pages.ts"

/** A definition of a recipe, for another site. */
const definition = (title: string, url: string): string => {
  const block = pages.flatMap(({ blocks }) => blocks).find((each) => each.title === title)
  return (block?.text ?? "").replaceAll(/https:\/\/\w+\.example\.com/g, url)
}

/** Runs of a recipe in a folder of its own. `files` are paths of empty files in it, which stand for their folders. */
export const kitchen = (
  title: string,
  url: string,
  files: ReadonlyArray<string> = [],
  secrets: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const text = definition(title, url)
    expect(text.trim().split("\n").length, title).toBeLessThanOrEqual(20)
    const folder = yield* folderOf({ [title]: text })
    for (const file of files) {
      mkdirSync(dirname(`${folder}/${file}`), { recursive: true })
      writeFileSync(`${folder}/${file}`, "")
    }
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...secrets }
    const act = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], { env, cwd: folder })
    /** The lines that a run or replay has written, and how it ended. */
    const ends = (...words: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const before = new Set(readdirSync(folder))
        const ended = yield* act(...words, "--quiet", "--json")
        const written = readdirSync(folder).filter((name) => !before.has(name) && /-.*\.(csv|jsonl)$/.test(name))
        const lines = written.flatMap((name) => readFileSync(`${folder}/${name}`, "utf8").trim().split("\n"))
        const { credits, status }: { readonly credits: number; readonly status: string } = JSON.parse(ended.out)
        return { ...ended, credits, lines: lines.filter((line) => line !== ""), status }
      })
    const run = ends("run", `${folder}/${title}`, "--out", folder)
    return { act, ends, folder, run }
  })

export const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Record<string, unknown>> =>
  lines.map((line) => JSON.parse(line))

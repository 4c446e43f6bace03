/** A run with a login that is killed and resumed. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { sluice } from "../Cli/Console.ts"
import { kill, start } from "../Cli/Launched.ts"
import { folderOf } from "../Cli/Project.ts"
import { expect, scoped } from "../It.ts"
import { env, filesWith, loginOf, password, portal } from "./Portal.ts"

scoped(
  "goes on as a member when a run was killed and is resumed",
  function* () {
    const { log, url } = yield* portal({ delay: 150 })
    const crawl = `  - crawl: { url: "${url}/members/", limit: 100, maxConcurrency: 1 }\n  - select: { title: metadata.title }\n`
    const root = yield* folderOf({
      "p.yaml": `version: 1\nname: members\n${loginOf(url)}steps:\n${crawl}  - write: { jsonl: out.jsonl }\n`
    })
    const { child, ended } = yield* start(root, env, "run", `${root}/p.yaml`, "--data", `${root}/data`, "--out", root)
    yield* Effect.async<void>((resume) => {
      const timer = setInterval(() => {
        if (log.pages.size < 6) return
        clearInterval(timer)
        kill(child)
        resume(Effect.void)
      }, 20)
    })
    yield* ended
    const { code, err } = yield* sluice(["resume", "--data", `${root}/data`], { env, cwd: root })
    expect(code, err).toBe(0)
    const lines = readFileSync(`${root}/out.jsonl`, "utf8").trim().split("\n")
    const titles = lines.map((line): string => JSON.parse(line).title)
    expect([titles.length, new Set(titles).size, titles.includes("Sign in")]).toEqual([30, 30, false])
    expect(log.logins).toBe(1)
    expect(filesWith(root, [password, ...log.secrets])).toEqual([])
  },
  { timeout: 120_000 }
)

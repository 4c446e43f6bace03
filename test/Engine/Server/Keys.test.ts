import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Keys from "../../../src/Engine/Teams/Keys.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"

const secret = (letter: string) => `fc-${letter.repeat(32)}`

const open = (folder: string, setting?: string) =>
  Keys.Keys.pipe(
    Effect.provide(Keys.layer(folder, setting === undefined ? undefined : Redacted.make(setting))),
    Effect.provide(NodeContext.layer)
  )

describe("keys", () => {
  it.scoped("are made once, readable by their owner only, and stay the same", function* () {
    const folder = yield* tempDir
    const first = yield* open(folder)
    expect(Redacted.value(first.own)).toMatch(/^fc-[0-9a-f]{32}$/)
    expect(first.file).toBe(join(folder, "keys.json"))
    expect(statSync(join(folder, "keys.json")).mode & 0o777).toBe(0o600)
    const again = yield* open(folder)
    expect(Redacted.value(again.own)).toBe(Redacted.value(first.own))
    expect(again.find(first.own)).toEqual(Option.some({ team: "default", name: "local" }))
  })

  it.scoped("are one and the same for two processes that start at once", function* () {
    const folder = yield* tempDir
    const all = yield* Effect.all(
      Array.from({ length: 8 }, () => open(folder)),
      { concurrency: 8 }
    )
    expect(new Set(all.map(({ own }) => Redacted.value(own))).size).toBe(1)
  })

  it.scoped("come from the setting with names and teams, and then no file is written", function* () {
    const folder = yield* tempDir
    const keys = yield* open(folder, `ci:${secret("a")}, research/anna:${secret("b")}`)
    expect(keys.find(Redacted.make(secret("a")))).toEqual(Option.some({ team: "default", name: "ci" }))
    expect(keys.find(Redacted.make(secret("b")))).toEqual(Option.some({ team: "research", name: "anna" }))
    expect(keys.find(Redacted.make(secret("c")))).toEqual(Option.none())
    expect(keys.find(Redacted.make(`${secret("a")} `))).toEqual(Option.none())
    expect(keys.file).toBeUndefined()
    expect(() => statSync(join(folder, "keys.json"))).toThrow()
  })

  it.scoped("that the setting no longer names open nothing after a restart", function* () {
    const folder = yield* tempDir
    yield* open(folder, `ci:${secret("a")},stolen:${secret("b")}`)
    const after = yield* open(folder, `ci:${secret("a")}`)
    expect(after.find(Redacted.make(secret("b")))).toEqual(Option.none())
    expect(Option.isSome(after.find(Redacted.make(secret("a"))))).toBe(true)
  })

  it.scoped("that cannot be read are named by their place, never by their text", function* () {
    const folder = yield* tempDir
    const mistakes = [
      [`ok:${secret("a")},wrong:fc-123`, "entry 2"],
      [`ok:${secret("a")},ok:${secret("b")}`, "entry 2 repeats"],
      [`one/ok:${secret("b")},two/ok:${secret("b")}`, "entry 2 repeats the key"],
      [`a/b/c:${secret("a")}`, "entry 1"],
      ["", "entry 1"]
    ] as const
    for (const [setting, text] of mistakes) {
      const error = yield* Effect.flip(open(folder, setting))
      expect(error.message).toContain(text)
      expect(error.message).not.toContain("123")
      expect(error.message).not.toContain("bbbb")
    }
  })

  it.scoped("in a file that is not valid are an error that says what to do", function* () {
    const folder = yield* tempDir
    const file = join(folder, "keys.json")
    writeFileSync(file, '{"keys": []}')
    const error = yield* Effect.flip(open(folder))
    expect(error.message).toContain(file)
    expect(error.message).toContain("Remove it")
    expect(readFileSync(file, "utf8")).toBe('{"keys": []}')
  })
})

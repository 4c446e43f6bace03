import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { check } from "../../src/Pipeline/Check.ts"
import * as Pin from "../../src/Pipeline/Pin.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const lock: Pin.Lock = {
  version: 1,
  url: "https://example.com/docs",
  prompt: "Only the API reference.",
  service: "local",
  date: "2026-03-01",
  answer: { url: "https://example.com/docs", includePaths: ["^/docs"], limit: 50 }
}

const question = { url: lock.url, prompt: lock.prompt }

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const write = (path: string, text: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.writeFileString(path, text))

const definition = (path: string, body: string) =>
  Effect.flatMap(parseText(`${path}/p.yaml`, path, `version: 1\nname: t\nsteps:\n${body}`), (source) =>
    check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: true })
  )

const preview = (more = "") =>
  `  - crawlPreview: { url: "https://example.com/docs", prompt: Only the API reference. }\n    pin: a.lock.json\n${more}  - urls: [https://example.com/]\n`

const nobody = { env: {}, secrets: () => undefined }

describe("a lock file", () => {
  it("is the same text whatever the order of the answer's keys, and ends with its line", () => {
    const { answer, ...rest } = lock
    const other = { answer: Object.fromEntries(Object.entries(answer).reverse()), ...rest } as Pin.Lock
    expect(Pin.render(other)).toBe(Pin.render(lock))
    expect(Pin.render(lock).endsWith("}\n")).toBe(true)
    expect(Pin.render(lock)).toContain('  "answer": {\n    "includePaths": [\n      "^/docs"\n    ],\n    "limit": 50,')
  })

  scoped("round-trips any strings, and shows them completely to a reader", function* () {
    const path = `${yield* folder}/a.lock.json`
    const text = fc.string({ unit: "binary", maxLength: 20 })
    const samples = fc.sample(
      fc.record({ url: text, prompt: text, note: fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }) }),
      30
    )
    for (const { note, prompt, url } of samples) {
      const kept = { ...lock, url, prompt, answer: { ...lock.answer, note } } as Pin.Lock
      const rendered = Pin.render(kept)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(rendered).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)
      yield* write(path, rendered)
      const standing = yield* Pin.inspect(path, { url, prompt })
      expect(standing.is).toBe("held")
      if (standing.is === "held") expect(Pin.render(standing.lock)).toBe(rendered)
    }
  })

  scoped("matches only the request for which it was made", function* () {
    const path = `${yield* folder}/a.lock.json`
    expect(yield* Pin.inspect(path, question)).toEqual({ is: "missing" })
    yield* write(path, Pin.render(lock))
    expect((yield* Pin.inspect(path, question)).is).toBe("held")
    expect((yield* Pin.inspect(path, undefined)).is).toBe("held")
    expect(yield* Pin.inspect(path, { ...question, prompt: "All of it." })).toMatchObject({
      is: "stale",
      differs: ["prompt"]
    })
    expect(yield* Pin.inspect(path, { url: "https://example.com/", prompt: "All of it." })).toMatchObject({
      is: "stale",
      differs: ["url", "prompt"]
    })
  })

  scoped("is not used when it is invalid, and the error says why", function* () {
    const path = `${yield* folder}/a.lock.json`
    for (const [text, reason] of [
      ["<<<<<<< HEAD\n{}", "it is not valid JSON"],
      ["[]", "expected"],
      ['{ "lockfileVersion": 3 }', 'unknown key "lockfileVersion"'],
      [Pin.render(lock).replace('"version": 1', '"version": 2'), "version: expected 1, got 2"],
      [Pin.render({ ...lock, answer: { limit: -1 } as Pin.Lock["answer"] }), "answer.limit"],
      [Pin.render({ ...lock, more: 1 } as Pin.Lock), 'unknown key "more"']
    ] as const) {
      yield* write(path, text)
      const standing = yield* Pin.inspect(path, question)
      expect(standing).toMatchObject({ is: "broken", reason: expect.stringContaining(reason) })
      expect(Pin.objection(standing, "a.lock.json", "p.yaml")).toContain("`sluice pin p.yaml --update` replaces it")
    }
  })
})

describe("a run of a pinned pipeline", () => {
  scoped("is refused before it starts when the lock file is missing or was made for another request", function* () {
    const path = yield* folder
    const checked = yield* definition(path, preview())
    const missing = yield* Effect.flip(Pin.require(checked, nobody))
    expect(missing).toMatchObject({ reason: "PinUnusable", step: "crawlPreview", definedAt: `${path}/p.yaml:5:10` })
    expect(missing.message).toBe(`the lock file a.lock.json is missing: create it with \`sluice pin ${path}/p.yaml\``)
    yield* write(`${path}/a.lock.json`, Pin.render({ ...lock, prompt: "Something else." }))
    expect((yield* Effect.flip(Pin.require(checked, nobody))).message).toContain(
      `was made for another prompt: \`sluice pin ${path}/p.yaml\` requests it again`
    )
    yield* write(`${path}/a.lock.json`, Pin.render(lock))
    yield* Pin.require(checked, nobody)
  })

  scoped("needs no lock file for a step that does not run", function* () {
    const checked = yield* definition(yield* folder, preview("    when: false\n"))
    yield* Pin.require(checked, nobody)
    expect(yield* Pin.pinned(checked, nobody)).toEqual([])
  })
})

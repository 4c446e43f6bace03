/** Text from pages, files and definitions never controls the terminal, whichever verb shows it. */
import * as Effect from "effect/Effect"
import { channel, paint, pipeTo, plain } from "../../src/Cli/Terminal.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const esc = "\u001b"
/** A window title, a colour, a C1 sequence, reversed text, and characters without width. */
const hostile = `${esc}]0;owned\u0007${esc}[31mred\u009b2Jgone\u202egnp\u2066x\u200b\u2060\ufeff\b\r`

/** Colours of sluice itself, and the line that it draws over. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is allowed
const ours = /\u001b\[(?:1|2|22|31|32|33|36|39)m|\r\u001b\[2K/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/

const project = Effect.gen(function* () {
  const text = JSON.stringify(hostile)
  const root = yield* folderOf({
    "rows.jsonl": `${JSON.stringify({ n: hostile, url: `https://a.example/${hostile}` })}\n{"n":"1"}\n`,
    "page.html": `<!doctype html><title>${hostile}</title><h1>${hostile}</h1><p>text</p>`,
    "p.yaml": `version: 1
name: pages
description: ${text}
steps:
  - read: rows.jsonl
  - select: { m: "$number(n)", "x${esc.replace(esc, "\\e")}[31m": n }
  - write: { jsonl: pages.jsonl }
`,
    "out.yaml": `version: 1
name: out
steps:
  - read: rows.jsonl
  - write: { csv: "-", columns: { n: string } }
`,
    "wrong.yaml": `version: 1
name: wrong
${text}: 1
steps:
  - ${text}: 1
  - where: ${JSON.stringify(`$nothing & '${hostile}'`)}
`,
    "state.yaml": `version: 1
name: kept
steps:
  - read: rows.jsonl
  - dedupe: { by: n, name: seen }
  - write: { jsonl: kept.jsonl }
`
  })
  const act = (words: ReadonlyArray<string>, tty = true) =>
    sluice([...words, ...(/^(run|runs|show|state|replay)$/.test(words[0] ?? "") ? ["--data", `${root}/data`] : [])], {
      tty
    })
  return { act, root }
})

describe("text that would steer the terminal", () => {
  it("loses every character that is not shown, but keeps joiners, the selector of emoji and Arabic signs", () => {
    const hidden = [
      0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200e, 0x200f, 0x2028, 0x2061, 0x2064, 0x206a, 0x3164, 0xffa0, 0xfff9,
      0xe0001, 0xe0041
    ]
    for (const point of hidden) expect(plain(`a${String.fromCodePoint(point)}b`), point.toString(16)).toBe("ab")
    const kept = "\u{1f468}\u200d\u{1f469} \u2764\ufe0f \u0645\u06cc\u200c\u062e\u0648 \u0600\u0661 \t\n"
    expect(plain(kept)).toBe(kept)
  })

  scoped.skipIf(skipsLong)("is left out by every verb", function* () {
    const { act, root } = yield* project
    const calls = [
      ["run", `${root}/p.yaml`, "--out", `${root}/out`],
      ["run", `${root}/out.yaml`, "--out", `${root}/out`],
      ["run", `${root}/state.yaml`, "--out", `${root}/out`],
      ["run", `${root}/p.yaml`, "--out", `${root}/out2`, "--json"],
      ["show"],
      ["show", "--rejects"],
      ["show", "--rejects", "--json"],
      ["runs"],
      ["runs", "--json"],
      ["state", "list"],
      ["check", `${root}/wrong.yaml`],
      ["check", `${root}/wrong.yaml`, "--json"],
      ["check", `${root}/${hostile}.yaml`],
      ["plan", `${root}/p.yaml`],
      ["graph", `${root}/p.yaml`],
      ["fmt", `${root}/wrong.yaml`],
      ["fmt", `${root}/p.yaml`],
      ["explain", hostile],
      ["test", `${root}/p.yaml`],
      ["schema", hostile],
      [hostile],
      ["run", `--${hostile}`],
      ["parse", `${root}/page.html`],
      ["parse", `${root}/page.html`, "--format", "html"],
      ["parse", `${root}/page.html`, "--format", "rawHtml"]
    ]
    const seen: Array<string> = []
    for (const words of calls) {
      const { err, out } = yield* act(words)
      seen.push(`${out}${err}`)
      const found = `${out}${err}`.replace(ours, "")
      expect(steering.test(found) ? [words, JSON.stringify(found)] : []).toEqual([])
      // A page that writes the colours of sluice does not get them either.
      expect(`${out}${err}`).not.toContain(`${esc}[31mred`)
    }
    expect(seen.filter((text) => text.includes("red")).length).toBeGreaterThan(6)
  })

  scoped("stays in files and pipes", function* () {
    const { act, root } = yield* project
    const { out } = yield* act(["run", `${root}/out.yaml`, "--out", `${root}/out`], false)
    expect(out).toContain(`${esc}]0;owned\u0007${esc}[31mred\u009b2J`)
  })

  scoped("is left out of rows on a terminal, also where a character comes in two pieces", function* () {
    for (const isTTY of [true, false]) {
      const written: Array<string | Uint8Array> = []
      const pipe = pipeTo({
        isTTY,
        write: (bytes, done) => {
          written.push(bytes)
          done()
        }
      })
      const bytes = Buffer.from(`ä${hostile}ö\n`)
      for (let at = 0; at < bytes.length; at += 3) pipe(bytes.subarray(at, at + 3), () => {})
      const text = Buffer.concat(written.map((each) => Buffer.from(each))).toString()
      expect(text).toBe(isTTY ? "ä]0;owned[31mred2Jgonegnpxö\n" : `ä${hostile}ö\n`)
    }
  })

  it("shows the colours of this program, and not on a terminal that has none", () => {
    const written: Array<string> = []
    const write = (text: string) => written.push(text)
    const colourful = channel({ isTTY: true, columns: 80, write }, {})
    const dull = channel({ isTTY: true, columns: 80, write }, { TERM: "dumb" })
    for (const out of [colourful, dull]) out.write(`${paint(out).red(`a${esc}[31mb`)}\n`)
    expect(written).toEqual([`${esc}[31ma[31mb${esc}[39m\n`, "a[31mb\n"])
  })
})

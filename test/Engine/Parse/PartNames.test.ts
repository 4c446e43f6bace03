import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { boundaryOf, nameOf, PartNames } from "../../../src/Engine/Parse/Upload.ts"
import { expect, it, scoped } from "../../It.ts"

const through = (bytes: Buffer, sizes: ReadonlyArray<number>) =>
  Effect.promise(() => {
    const names = new PartNames("b")
    let at = 0
    for (let turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? bytes.length
      names.write(bytes.subarray(at, at + size))
      at += size
    }
    names.end()
    return text(names)
  })

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; filename="${name}"\r\n\r\n${content}\r\n`

scoped("content passes unchanged and header bytes become characters, whatever the chunks", function* () {
  const sent = `${part("日.pdf", "日 --b\r\n-b")}${part("a", "")}--b--\r\nrest`
  const expected = sent.replace("日.pdf", Buffer.from("日.pdf").toString("latin1"))
  const cuts = fc.sample(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), {
    numRuns: 100,
    seed: 7
  })
  for (const sizes of [[1], [1_000], ...cuts]) expect(yield* through(Buffer.from(sent), sizes)).toBe(expected)
  expect(nameOf(Buffer.from("日.pdf").toString("latin1"))).toBe("日.pdf")
})

scoped("a body that is no upload passes unchanged", function* () {
  for (const sent of ["", "x", "no boundary at all", "--b", `--b\r\n${"h".repeat(30_000)}`]) {
    expect(yield* through(Buffer.from(sent), [7])).toBe(sent)
  }
})

it("finds the same boundary as the multipart parser", () => {
  expect(boundaryOf('multipart/form-data; boundary=a; boundary="b c"')).toBe("b c")
  expect(boundaryOf("multipart/form-data")).toBeUndefined()
})

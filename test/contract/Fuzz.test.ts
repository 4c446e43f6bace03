/** A small share of `npm run fuzz`: whatever is sent, the answer is one that the document has. */

import { Ajv2020 } from "ajv/dist/2020.js"
import { document } from "../../src/Engine/Http/OpenApiDocument.ts"
import { fuzz } from "../fuzz/Fuzz.ts"
import { maxWait } from "../fuzz/Innocent.ts"
import { describe, expect, it, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { seed } from "../Repetitions.ts"

describe("an engine that is sent whatever can be sent", () => {
  live.skipIf(skipsLong)(
    `answers as its document says, goes on, and keeps nothing open (SEED=${seed})`,
    function* () {
      const { faults, handles, requests, statuses, wait } = yield* fuzz({
        bin: program("bin"),
        seed,
        each: 5,
        goesOn: (rounds) => rounds < 1
      })
      expect(faults, `SEED=${seed}`).toEqual([])
      expect(wait).toBeLessThan(maxWait)
      expect(requests).toBeGreaterThan(300)
      for (const status of [200, 400, 404]) expect(statuses[status]).toBeGreaterThan(0)
      expect(handles[1]).toBeLessThanOrEqual(handles[0] + 16)
    },
    180_000
  )

  it.skipIf(skipsLong)("has a document that validators read as it is, and that lets answers have more fields", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "api")
    for (const name of Object.keys(document.components.schemas))
      ajv.compile({ $ref: `api#/components/schemas/${name}` })
    const started = ajv.compile({ $ref: "api#/components/schemas/JobStarted" })
    expect(started({ success: true, id: "x", later: 1 })).toBe(true)
    const asked = ajv.compile({ $ref: "api#/components/schemas/CrawlRequest" })
    expect(asked({ url: "http://a.example/", later: 1 })).toBe(false)
  })
})

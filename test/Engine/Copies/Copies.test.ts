/** Copies between the request that brings them and the disk. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Copies, type Kept, layer as layerIn } from "../../../src/Engine/Copies/Copies.ts"
import * as Store from "../../../src/Engine/Store.ts"
import { tempDir } from "../../Local.ts"

const kept = (bytes: number): Kept => ({
  url: "http://herons.test/",
  statusCode: 200,
  headers: {},
  body: Buffer.alloc(bytes, "h"),
  coding: ""
})

const any = () => true

const layer = (folder: string) =>
  layerIn(folder).pipe(Layer.provideMerge(Store.layer(folder)), Layer.provide(NodeContext.layer))

describe("copies that wait to be written", () => {
  it.scoped("answer at once, and are left out when too many come at once", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      yield* Effect.gen(function* () {
        const copies = yield* Copies
        for (let page = 0; page < 17; page++) yield* copies.keep(`${page}`, kept(1024 * 1024))
        expect(yield* copies.find("0", any)).toMatchObject({ statusCode: 200 })
        expect(yield* copies.find("15", any)).toBeDefined()
        expect(yield* copies.find("16", any)).toBeUndefined()
      }).pipe(Effect.provide(layer(folder)))
      yield* Effect.gen(function* () {
        const copies = yield* Copies
        expect((yield* copies.find("15", any))?.body.byteLength).toBe(1024 * 1024)
      }).pipe(Effect.provide(layer(folder)))
    })
  )

  it.scoped("are left out when the disk refuses them, and nobody is the worse for it", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      writeFileSync(join(folder, "copies"), "in the way")
      const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id FROM copy_files`)
      const silent = Logger.remove(Logger.defaultLogger)
      yield* Effect.gen(function* () {
        const copies = yield* Copies
        yield* copies.keep("one", kept(10))
        expect(yield* copies.find("two", any)).toBeUndefined()
      }).pipe(Effect.provide(layer(folder)), Effect.provide(silent))
      yield* Effect.gen(function* () {
        expect(yield* rows).toEqual([])
        rmSync(join(folder, "copies"))
        mkdirSync(join(folder, "copies"))
        const copies = yield* Copies
        expect(yield* copies.find("one", any)).toBeUndefined()
        yield* copies.keep("one", kept(10))
      }).pipe(Effect.provide(layer(folder)))
      expect(readdirSync(join(folder, "copies")).length).toBe(1)
    })
  )
})

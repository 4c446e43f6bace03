/** Keeps what others entrust to the store unreadable to whoever has the store alone: the key is a file beside it. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

export interface Seal {
  readonly seal: (text: string) => Uint8Array
  /** Left when it was sealed with another key, or changed. */
  readonly open: (sealed: Uint8Array) => Either.Either<string, unknown>
}

const cipher = "aes-256-gcm"
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

const withKey = (key: Uint8Array): Seal => ({
  seal: (text) => {
    const nonce = randomBytes(nonceBytes)
    const lock = createCipheriv(cipher, key, nonce)
    const body = Buffer.concat([lock.update(text, "utf8"), lock.final()])
    return Buffer.concat([nonce, lock.getAuthTag(), body])
  },
  open: (sealed) =>
    Either.try(() => {
      const lock = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes))
      lock.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      const text = lock.update(sealed.subarray(nonceBytes + tagBytes))
      return Buffer.concat([text, lock.final()]).toString("utf8")
    })
})

/** With the key of the folder, which is made the first time. */
export const make = (dataDir: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(dataDir, "seal.key")
    const read = Effect.map(files.readFile(file), (key) => (key.length === keyBytes ? key : undefined))
    const write = Effect.gen(function* () {
      // Complete under another name, then linked: of two processes that start at once, one makes the key.
      const draft = `${file}.${process.pid}`
      yield* files.writeFile(draft, randomBytes(keyBytes), { mode: 0o600 })
      yield* Effect.ensuring(files.link(draft, file), Effect.ignore(files.remove(draft)))
    })
    yield* Effect.whenEffect(
      Effect.catchIf(
        write,
        (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
        () => Effect.void
      ),
      Effect.negate(files.exists(file))
    )
    const key = yield* read
    if (key === undefined)
      return yield* Effect.fail(
        `${file} is not a key of ${keyBytes} bytes. Remove it to have a new one made; webhooks of jobs that run are dropped then`
      )
    return withKey(key)
  })

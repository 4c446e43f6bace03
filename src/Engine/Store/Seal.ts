/**
 * Encrypts webhooks and logins, which must not be readable in the store. The key is a file beside the database that only its user can read.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { reasonOf } from "../../Database/DriverErrors.ts"
import { createOnce } from "../../Files.ts"
import { StoreError } from "./Sql.ts"

export interface Encryption {
  readonly seal: (text: string) => Uint8Array
  /** Decrypts data. Returns an error if it was encrypted with another key, or altered. */
  readonly open: (sealed: Uint8Array) => Either.Either<string, unknown>
}

const algorithm = "aes-256-gcm"
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

const withKey = (key: Uint8Array): Encryption => ({
  seal: (text) => {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key, nonce)
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  },
  open: (sealed) =>
    Either.try(() => {
      const cipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
      cipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      const text = cipher.update(sealed.subarray(nonceBytes + tagBytes))
      return Buffer.concat([text, cipher.final()]).toString("utf8")
    })
})

/** Creates the encryption service with the key file in the data folder, which is created if it is missing. */
const make = (dataDir: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(dataDir, "seal.key")
    if (!(yield* files.exists(file))) yield* createOnce(files, file, randomBytes(keyBytes))
    const key = yield* files.readFile(file)
    if (key.length !== keyBytes)
      return yield* Effect.fail(
        `${file} is not a key of ${keyBytes} bytes. Delete this file to create a new key; webhooks of running jobs and saved logins are lost then`
      )
    return withKey(key)
  })

/** Like {@link make}, but fails with a `StoreError`. */
export const open = (dataDir: string) =>
  Effect.mapError(
    make(dataDir),
    (cause) => new StoreError({ file: dataDir, reason: `its encryption key: ${reasonOf(cause)}`, cause })
  )

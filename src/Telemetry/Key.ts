/** The key of `/metrics`, compared in the same time whether it is nearly right or not at all. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

const hash = (text: string) => createHash("sha256").update(text).digest()

/** Whether an `Authorization` header brings the key. */
export const opens = (key: Redacted.Redacted): ((authorization: string | undefined) => boolean) => {
  const own = hash(Redacted.value(key))
  return (authorization = "") => {
    const [, given] = /^Bearer\s+(.+)$/i.exec(authorization.trim()) ?? []
    return given !== undefined && timingSafeEqual(own, hash(given))
  }
}

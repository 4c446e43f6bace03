import { expect, it } from "@effect/vitest"
import { addSecret, addToken, scrub } from "../../src/Telemetry/Redaction.ts"

it("new secrets are removed however many tokens have come, and so are the latest tokens", () => {
  const token = (at: number) => `token_of_run_${at}_`
  for (let at = 0; at < 2_000; at++) addToken(token(at))
  addSecret("late_secret_7")
  expect(scrub(`a ${token(1_999)} b ${token(1_950)} c late_secret_7`)).toBe("a [secret] b [secret] c [secret]")
})

/** Group `browser`: this engine has no browser sessions yet, and says so. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { NotImplemented } from "../../Api/Errors.ts"
import { Api } from "../../Api.ts"

const absent = new NotImplemented({
  error: "Browser sessions are not implemented by this engine. Use a hosted service for them (SLUICE_BASE_URL).",
  code: "NOT_IMPLEMENTED"
})

export const handlers = HttpApiBuilder.group(Api, "browser", (group) =>
  group
    .handle("create", () => absent)
    .handle("list", () => absent)
    .handle("delete", () => absent)
    .handle("execute", () => absent)
)

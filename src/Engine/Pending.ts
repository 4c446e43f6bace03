/** Stand-ins for parts that are being written: they answer 501 and say so. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { NotImplemented } from "../Api/Errors.ts"
import { Api } from "../Api.ts"

const absent = new NotImplemented({ error: "This is not implemented by this engine yet.", code: "NOT_IMPLEMENTED" })

export const crawlPreview = HttpApiBuilder.group(Api, "crawlPreview", (group) => group.handle("preview", () => absent))

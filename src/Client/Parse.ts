/** Parses an uploaded file into a document. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { extensions, maxFileSize, ParseOptions } from "../Api/Upload.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, invalidRequest, type Keyed, keyHeaders } from "./Calls.ts"
import { InvalidRequest, TooLarge, UnsupportedFile } from "./ClientErrors.ts"
import { Connection } from "./Connection.ts"
import { asRead } from "./RetryLoop.ts"

/** File to parse: a path, or bytes with a file name. The name's extension determines the type. */
export type ParseInput =
  | { readonly file: string; readonly name?: string | undefined }
  | { readonly file: Uint8Array | Blob; readonly name: string }

const checkOptions = Schema.encodeUnknown(ParseOptions)

/** Client for documents from uploaded files. Errors: `ClientError`. */
export class Parse extends Effect.Service<Parse>()("sluice/Client/Parse", {
  effect: Effect.gen(function* () {
    const api = yield* calls("parse")
    const files = yield* FileSystem.FileSystem
    const { baseUrl, scrub } = yield* Connection
    const call = { method: "POST", url: scrub(`${baseUrl}/v2/parse`) }

    const checkSize = (name: string, bytes: number) =>
      bytes > maxFileSize
        ? new TooLarge({ ...call, said: `${name} has ${bytes} bytes, the limit is ${maxFileSize}` })
        : Effect.void

    const checkName = (name: string) =>
      extensions.some((extension) => name.toLowerCase().endsWith(extension))
        ? Effect.void
        : new UnsupportedFile({ ...call, said: `${name} does not end in ${extensions.join(", ")}` })

    const read = Effect.fnUntraced(function* (path: string, name: string) {
      const { size } = yield* files.stat(path)
      yield* checkSize(name, Number(size))
      return yield* files.readFile(path)
    })

    const unreadable = (file: string) => (error: PlatformError) =>
      new InvalidRequest({
        ...call,
        details: [{ path: "file", message: `cannot read ${file}: ${fileErrorReason(error)}` }]
      })

    const load = ({ file, name }: ParseInput, label: string) =>
      typeof file === "string"
        ? Effect.catchTags(read(file, name ?? label), { BadArgument: unreadable(file), SystemError: unreadable(file) })
        : Effect.as(checkSize(label, file instanceof Blob ? file.size : file.byteLength), file)

    return {
      /**
       * Returns the content of a file as a document. Before sending, fails with `TooLarge` above 50 MB, and with `UnsupportedFile` for an
       * unsupported type.
       */
      parse: Trace.fn("Parse.parse")(function* (input: ParseInput, options?: ParseOptions, key: Keyed = {}) {
        const name = input.name ?? (typeof input.file === "string" ? (input.file.split(/[\\/]/).at(-1) ?? "") : "")
        yield* checkName(name)
        const form = new FormData()
        if (options !== undefined) {
          yield* Effect.mapError(checkOptions(options), (error) => invalidRequest(call, error))
          // Sent unchanged: the error of the service names the options that do not apply to files.
          form.append("options", JSON.stringify(options))
        }
        const content = yield* load(input, name)
        form.append("file", content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer>]), name)
        return yield* asRead(api.parse({ payload: form, headers: keyHeaders(key, options) }))
      })
    }
  })
}) {}

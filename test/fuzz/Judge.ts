/** Faults of a response, judged by the engine's own OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { type Document, type Operation, operationsOf } from "./Document.ts"
import type { Answer, Sent } from "./Wire.ts"

/** Statuses of requests that are no operation's: refused by their bytes, their place, or whom they name. */
const general: ReadonlySet<number> = new Set([400, 401, 404, 413])

/** Refused by its head, before there is an operation to ask for. */
const unread: ReadonlySet<number> = new Set([400, 408, 413, 431])

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

const matches = (template: string, path: string): boolean => {
  const wanted = template.split("/")
  const given = path.replace(/\/$/, "").split("/")
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || /^\{\w+\}$/.test(part))
}

const text = ({ body }: Answer): string => body.toString("utf8")

const parsed = (answer: Answer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text(answer)) }
  } catch {
    return undefined
  }
}

/** Reads the document once; gives what finds fault with one answer. */
export const judge = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, "api")
  const operations = operationsOf(document)
  const validators = new Map<string, ValidateFunction>()

  const validator = (at: string): ValidateFunction => {
    const known = validators.get(at)
    if (known !== undefined) return known
    const made = ajv.compile({ $ref: `api#/${at}` })
    validators.set(at, made)
    return made
  }

  const operationOf = ({ method, target }: Sent): Operation | undefined => {
    const [path = ""] = target.split("?", 1)
    // Told as GET is, without the body.
    const wanted = method === "HEAD" ? "GET" : method
    const found = operations.filter((one) => one.method === wanted && matches(one.path, path))
    // A literal path wins over one with a parameter.
    return found.find((one) => one.path === path.replace(/\/$/, "")) ?? found[0]
  }

  return (sent: Sent, answer: Answer | undefined): ReadonlyArray<string> => {
    if (answer === undefined) return sent.framing === "short" ? [] : ["the connection was closed without an answer"]
    const { body, headers, isWhole, status } = answer
    const operation = operationOf(sent)
    const faults: Array<string> = []
    const isForeign = status === 403 && (sent.method === "HEAD" || text(answer).includes("FOREIGN_HOST"))
    const isUnread =
      unread.has(status) && /not valid HTTP|HEADERS_TOO_LARGE|REQUEST_TOO_LARGE|REQUEST_TIMEOUT/.test(text(answer))
    // The path has operations, of other methods.
    const isOfOtherMethods = status === 405 && operation === undefined && headers.get("allow") !== undefined
    if (status >= 500 && !(operation?.statuses.has(status) && status !== 500)) faults.push(`it answers ${status}`)
    else if (!isForeign && !isUnread && !isOfOtherMethods && !(operation?.statuses ?? general).has(status)) {
      faults.push(`${operation?.id ?? "no operation"} answers ${status}, which is not documented`)
    }
    if (sent.method === "HEAD" && body.byteLength === 0) return faults
    if (!isWhole) return sent.framing === "short" ? faults : [...faults, "its answer was cut"]
    if (!/^application\/json(;|$)/.test(headers.get("content-type") ?? "")) {
      return [...faults, `its content type is ${headers.get("content-type")}`]
    }
    const length = headers.get("content-length")
    if (length !== undefined && Number(length) !== body.byteLength) {
      faults.push(`it says ${length} bytes and sends ${body.byteLength}`)
    }
    const json = parsed(answer)
    if (json === undefined) return [...faults, "it is no JSON"]
    const isDocumented = operation?.statuses.has(status) === true && !isForeign && !isUnread
    const valid = validator(
      isDocumented
        ? `paths/${escaped(operation.path)}/${sent.method.toLowerCase()}/responses/${status}/content/application~1json/schema`
        : "components/schemas/Error"
    )
    if (!valid(json.value)) faults.push(`its body is not as documented: ${ajv.errorsText(valid.errors)}`)
    // Text that an error repeats from the request does not count.
    const isOurs = /\bat .+\(?(?:file|node):.*:\d+|node_modules|_tag/.test(status >= 400 ? text(answer) : "")
    if (isOurs && !/file:|node:|_tag/.test(Buffer.from(sent.body ?? []).toString())) {
      faults.push("it gives away what it is made of")
    }
    return faults
  }
}

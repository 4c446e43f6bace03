/** Screen that runs a pipeline: the list of definitions, and the form with the inputs of one of them. */

import { useId, useRef, useState } from "preact/hooks"
import { newKey, postJson, RequestError, useFetch } from "./Api.ts"
import { DefinitionErrors, Empty, Loaded } from "./Components.tsx"
import { many } from "./Format.ts"
import {
  type DefinitionLine,
  type Definitions,
  type InputField,
  type Launch,
  type Launched,
  paths
} from "./Protocol.ts"
import { go, type Route, to } from "./Route.ts"
import { Icon } from "./Signs.tsx"

const Choice = ({
  definition: { description, file, inputs, mistakes, name }
}: {
  readonly definition: DefinitionLine
}) => (
  <li>
    <a href={to(["start"], { file })} class="choice">
      <b>{name}</b>
      <span class="id">{file}</span>
      {description !== undefined && <span>{description}</span>}
      <small>
        {mistakes.length > 0 ? (
          <span class="wrong">✕ {many(mistakes.length, "mistake")}</span>
        ) : inputs.length === 0 ? (
          "takes no inputs"
        ) : (
          many(inputs.length, "input")
        )}
      </small>
    </a>
  </li>
)

export const Start = ({ route }: { readonly route: Route }) => {
  const asked = useFetch<Definitions>(paths.definitions)
  const file = route.query.get("file")
  return (
    <section class="screen text">
      {file !== null && (
        <p class="trail">
          <a href={to(["start"])}>
            <Icon name="back" size={14} /> All pipelines
          </a>
        </p>
      )}
      <Loaded asked={asked}>
        {({ definitions, folder, why }) => {
          const chosen = definitions.find((each) => each.file === file)
          if (chosen !== undefined) return <Form key={chosen.file} definition={chosen} />
          return (
            <>
              <h1>Run a pipeline</h1>
              {file !== null && (
                <p class="banner" data-tone="warn">
                  There is no definition {file} in the folder now.
                </p>
              )}
              {folder === null ? (
                <Empty title="There is no folder of definitions">
                  <p>{why}</p>
                </Empty>
              ) : definitions.length === 0 ? (
                <Empty title="The folder has no definitions">
                  <p>
                    <code>npx sluice init</code> makes a pipeline that runs, in <code>{folder}</code> or wherever you
                    are.
                  </p>
                </Empty>
              ) : (
                <>
                  <p class="dim">
                    Definitions in <code>{folder}</code>
                  </p>
                  <ul class="definitions">
                    {definitions.map((definition) => (
                      <Choice key={definition.file} definition={definition} />
                    ))}
                  </ul>
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const firstOf = ({ default: standard, enum: choices, scheduled, type }: InputField): Entered => {
  if (type === "boolean") return String(scheduled ?? standard) === "true"
  if (scheduled !== undefined) return String(scheduled)
  return choices !== undefined && standard !== undefined ? String(standard) : ""
}

const rowsField: InputField = {
  name: "limit",
  type: "integer",
  minimum: 1,
  description: "Rows of each source, for a first try.",
  default: "all"
}

/** What is said above the form, where mistakes are listed or stand at their fields. */
const saidOf = (refusal: RequestError, others: number, faults: number): string =>
  others > 0
    ? "It was not started:"
    : faults > 0
      ? "It was not started: something is wrong with what is marked below."
      : refusal.message

export const Form = ({ definition }: { readonly definition: DefinitionLine }) => {
  const { description, file, inputs, mistakes, name } = definition
  const [values, setValues] = useState<Readonly<Record<string, Entered>>>(
    Object.fromEntries(inputs.map((field) => [field.name, firstOf(field)]))
  )
  const [limit, setLimit] = useState("")
  const [isBackfill, setBackfill] = useState(false)
  const [isShown, setShown] = useState(false)
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<RequestError>()
  /** What the server said about an input, as long as it stays as it was sent. */
  const [told, setTold] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  /** This form begins one run with the same inputs, however often it is sent. */
  const [key] = useState(newKey)

  const valueOf = (field: InputField): Entered => values[field.name] ?? ""
  const faults = new Map(
    inputs.flatMap((field) => {
      const fault = told[field.name] ?? (isShown ? faultOf(field, valueOf(field)) : undefined)
      return fault === undefined ? [] : [[field.name, fault] as const]
    })
  )
  const limitFault = isShown ? faultOf(rowsField, limit) : undefined
  const toFirst = () => setTimeout(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())

  const refused = (failure: unknown) => {
    const refused = failure instanceof RequestError ? failure : new RequestError(0, { error: String(failure) })
    setRefusal(refused)
    setTold(
      Object.fromEntries(
        (refused.trouble.mistakes ?? []).flatMap(({ input, message }) =>
          // The command line has its own way to name an input.
          input === undefined ? [] : [[input, message.replace(`--input ${input}: `, "")]]
        )
      )
    )
    toFirst()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setShown(true)
    setRefusal(undefined)
    setTold({})
    if (
      inputs.some((field) => faultOf(field, valueOf(field)) !== undefined) ||
      faultOf(rowsField, limit) !== undefined
    ) {
      toFirst()
      return
    }
    // An empty field means the default.
    const given = Object.fromEntries(
      inputs.flatMap((field) => (valueOf(field) === "" ? [] : [[field.name, valueOf(field)]]))
    )
    setSending(true)
    const launch: Launch = {
      file,
      inputs: given,
      ...(limit.trim() === "" ? {} : { limit: Number(limit) }),
      ...(isBackfill ? { backfill: true } : {})
    }
    postJson<Launched>(paths.launch, {}, launch, key)
      .then(({ run }) => go(["runs", run]), refused)
      .finally(() => setSending(false))
  }
  const others = (refusal?.trouble.mistakes ?? []).filter(({ input }) => !inputs.some((field) => field.name === input))

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <h1>{name}</h1>
      <p class="id">{file}</p>
      {description !== undefined && <p class="lead">{description}</p>}
      {mistakes.length > 0 && (
        <div class="banner" data-tone="bad">
          <p>It cannot run as it is:</p>
          <DefinitionErrors mistakes={mistakes} />
        </div>
      )}
      {refusal !== undefined && (
        <div class="banner" data-tone="bad" role="alert">
          <p>{saidOf(refusal, others.length, faults.size)}</p>
          {others.length > 0 && <DefinitionErrors mistakes={others} />}
        </div>
      )}
      {inputs.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={valueOf(field)}
          fault={faults.get(field.name)}
          change={(value) => {
            setValues({ ...values, [field.name]: value })
            setTold(Object.fromEntries(Object.entries(told).filter(([name]) => name !== field.name)))
          }}
        />
      ))}
      <details>
        <summary>More</summary>
        <Field field={rowsField} value={limit} fault={limitFault} change={(value) => setLimit(String(value))} />
        <Field
          field={{
            name: "backfill",
            type: "boolean",
            description: "Takes everything anew, whatever is known from earlier runs.",
            default: false
          }}
          value={isBackfill}
          fault={undefined}
          change={(value) => setBackfill(value === true)}
        />
      </details>
      <div class="answers">
        <button type="submit" class="press main" disabled={isSending || mistakes.length > 0}>
          {isSending ? "Starting …" : "Run it"}
        </button>
      </div>
    </form>
  )
}

export type Entered = string | boolean

/** What is wrong with what was entered, as far as it can be told here; the server has the last word. */
export const faultOf = (field: InputField, value: Entered): string | undefined => {
  if (typeof value === "boolean") return undefined
  const { default: standard, maximum, maxLength, minimum, type } = field
  const text = value.trim()
  if (text === "") return standard === undefined ? "This has no default: something must be given." : undefined
  if (type === "url" && !/^https?:\/\/[^\s/]/i.test(text)) return "An address begins with http:// or https://"
  if (maxLength !== undefined && value.length > maxLength)
    return `At most ${maxLength} characters; these are ${value.length}.`
  if (type !== "integer" && type !== "number") return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return `A number, not “${text.slice(0, 40)}”.`
  if (type === "integer" && !Number.isInteger(number)) return "A whole number."
  if (minimum !== undefined && number < minimum) return `At least ${minimum}.`
  if (maximum !== undefined && number > maximum) return `At most ${maximum}.`
  return undefined
}

const typeNames: Readonly<Record<InputField["type"], string>> = {
  boolean: "yes or no",
  integer: "whole number",
  number: "number",
  path: "path on the server’s machine",
  string: "text",
  url: "http(s) address"
}

const rangeOf = ({ maximum, minimum }: InputField): string | undefined => {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

const hintOf = (field: InputField): string => {
  const { default: standard, enum: choices, maxLength, scheduled, type } = field
  return [
    choices === undefined ? typeNames[type] : undefined,
    rangeOf(field),
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    type === "boolean"
      ? undefined
      : standard === undefined
        ? "required"
        : `default: ${standard === "" ? "empty" : standard}`,
    scheduled === undefined ? undefined : `schedule: ${scheduled === "" ? "empty" : scheduled}`
  ]
    .filter((part) => part !== undefined)
    .join(" · ")
}

interface FieldProps {
  readonly field: InputField
  readonly value: Entered
  readonly fault: string | undefined
  readonly change: (value: Entered) => void
}

export const Field = ({ change, fault, field, value }: FieldProps) => {
  const id = useId()
  const { default: standard, description, enum: choices, name, type } = field
  const common = {
    id,
    name,
    "aria-invalid": fault !== undefined,
    "aria-describedby": fault === undefined ? `${id}-hint` : `${id}-fault ${id}-hint`
  }
  const isNumber = type === "integer" || type === "number"
  return (
    <div class="field" data-wrong={fault !== undefined}>
      <label for={id}>{name}</label>
      {description !== undefined && <p class="told">{description}</p>}
      {choices !== undefined ? (
        <select {...common} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
          {standard === undefined && <option value="">Choose one</option>}
          {choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice}
            </option>
          ))}
        </select>
      ) : type === "boolean" ? (
        <input
          {...common}
          type="checkbox"
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={isNumber ? "decimal" : type === "url" ? "url" : "text"}
          value={String(value)}
          placeholder={standard === undefined ? "" : String(standard)}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      <p class="dim" id={`${id}-hint`}>
        {hintOf(field)}
      </p>
    </div>
  )
}

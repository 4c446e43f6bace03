/** Screen for running a pipeline: the list of definitions, and a form with the inputs of one. */

import { useEffect, useId, useRef, useState } from "preact/hooks"
import { newKey, postJson, RequestError, useFetch } from "./Api.ts"
import { Back, Banner, DefinitionErrors, Empty, Loaded } from "./Components.tsx"
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
          <span class="wrong">✕ {many(mistakes.length, "error")}</span>
        ) : inputs.length === 0 ? (
          "no inputs"
        ) : (
          many(inputs.length, "input")
        )}
      </small>
    </a>
  </li>
)

/** Milliseconds until the list is requested again while definitions are being checked. */
const checkInterval = 500

export const Start = ({ route }: { readonly route: Route }) => {
  const asked = useFetch<Definitions>(paths.definitions)
  const { again, value } = asked
  useEffect(() => {
    if (value === undefined || value.checking === 0) return
    const timer = setTimeout(again, checkInterval)
    return () => clearTimeout(timer)
  }, [again, value])
  const file = route.query.get("file")
  return (
    <section class="screen text">
      {file !== null && <Back href={to(["start"])}>All pipelines</Back>}
      <Loaded asked={asked}>
        {({ checking, definitions, folder, why }) => {
          const chosen = definitions.find((each) => each.file === file)
          if (chosen !== undefined) return <Form key={chosen.file} definition={chosen} />
          const isChecking = checking > 0 && (
            <p class="dim" role="status">
              Checking {many(checking, "more file")} …
            </p>
          )
          if (isChecking !== false && (file !== null || definitions.length === 0)) return isChecking
          return (
            <>
              <h1>Run a pipeline</h1>
              {file !== null && <Banner tone="warn">The folder has no definition {file}.</Banner>}
              {folder === null ? (
                <Empty title="No folder of definitions">
                  <p>{why}</p>
                </Empty>
              ) : definitions.length === 0 ? (
                <Empty title="No definitions">
                  <p>
                    <code>{folder}</code> has no pipelines. <code>npx sluice init</code> creates one.
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
                  {isChecking}
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const initialValue = ({ default: standard, enum: choices, scheduled, type }: InputField): Entered => {
  if (type === "boolean") return String(scheduled ?? standard) === "true"
  if (scheduled !== undefined) return String(scheduled)
  return choices !== undefined && standard !== undefined ? String(standard) : ""
}

const rowsField: InputField = {
  name: "limit",
  type: "integer",
  minimum: 1,
  description: "Maximum number of rows of each source, for a trial.",
  default: "all"
}

/** Text of the banner above the form. It lists `others` errors; the `marked` errors are shown at their fields. */
const bannerText = (refusal: RequestError, others: number, marked: number): string =>
  others > 0
    ? "The run was not started:"
    : marked > 0
      ? "The run was not started: correct the marked fields."
      : refusal.message

const Form = ({ definition }: { readonly definition: DefinitionLine }) => {
  const { description, file, inputs, mistakes, name } = definition
  const [values, setValues] = useState<Readonly<Record<string, Entered>>>(
    Object.fromEntries(inputs.map((field) => [field.name, initialValue(field)]))
  )
  const [limit, setLimit] = useState("")
  const [isBackfill, setBackfill] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<RequestError>()
  /** Errors from the server, by input, until the input changes. */
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  /** One key for all submits, so that equal inputs start only one run. */
  const [key] = useState(newKey)

  const valueOf = (field: InputField): Entered => values[field.name] ?? ""
  const errors = new Map(
    inputs.flatMap((field) => {
      const error = serverErrors[field.name] ?? (isChecked ? errorOf(field, valueOf(field)) : undefined)
      return error === undefined ? [] : [[field.name, error] as const]
    })
  )
  const limitError = isChecked ? errorOf(rowsField, limit) : undefined
  const focusFirstError = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())

  const refused = (failure: unknown) => {
    const refused = failure instanceof RequestError ? failure : new RequestError(0, { error: String(failure) })
    setRefusal(refused)
    setServerErrors(
      Object.fromEntries(
        (refused.trouble.mistakes ?? []).flatMap(({ input, message }) =>
          // The server words the error as for the command line: removes the name of the flag.
          input === undefined ? [] : [[input, message.replace(`--input ${input}: `, "")]]
        )
      )
    )
    focusFirstError()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setChecked(true)
    setRefusal(undefined)
    setServerErrors({})
    if (
      inputs.some((field) => errorOf(field, valueOf(field)) !== undefined) ||
      errorOf(rowsField, limit) !== undefined
    ) {
      focusFirstError()
      return
    }
    // An empty field means the default value.
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
        <Banner>
          <p>The pipeline cannot run:</p>
          <DefinitionErrors mistakes={mistakes} />
        </Banner>
      )}
      {refusal !== undefined && (
        <Banner role="alert">
          <p>{bannerText(refusal, others.length, errors.size)}</p>
          {others.length > 0 && <DefinitionErrors mistakes={others} />}
        </Banner>
      )}
      {inputs.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={valueOf(field)}
          error={errors.get(field.name)}
          change={(value) => {
            setValues({ ...values, [field.name]: value })
            setServerErrors(Object.fromEntries(Object.entries(serverErrors).filter(([name]) => name !== field.name)))
          }}
        />
      ))}
      <details>
        <summary>More options</summary>
        <Field field={rowsField} value={limit} error={limitError} change={(value) => setLimit(String(value))} />
        <Field
          field={{
            name: "backfill",
            type: "boolean",
            description: "Processes everything again, ignoring the state of earlier runs.",
            default: false
          }}
          value={isBackfill}
          error={undefined}
          change={(value) => setBackfill(value === true)}
        />
      </details>
      <div class="answers">
        <button type="submit" class="press main" disabled={isSending || mistakes.length > 0}>
          {isSending ? "Starting …" : "Run"}
        </button>
      </div>
    </form>
  )
}

type Entered = string | boolean

/** Error of an entered value; the server checks more than this. */
const errorOf = (field: InputField, value: Entered): string | undefined => {
  if (typeof value === "boolean") return undefined
  const { default: standard, maximum, maxLength, minimum, type } = field
  const text = value.trim()
  if (text === "") return standard === undefined ? "Required: this input has no default." : undefined
  if (type === "url" && !/^https?:\/\/[^\s/]/i.test(text)) return "A URL begins with http:// or https://"
  if (maxLength !== undefined && value.length > maxLength)
    return `At most ${maxLength} characters, not ${value.length}.`
  if (type !== "integer" && type !== "number") return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return `A number, not “${text.slice(0, 40)}”.`
  if (type === "integer" && !Number.isInteger(number)) return "An integer."
  if (minimum !== undefined && number < minimum) return `At least ${minimum}.`
  if (maximum !== undefined && number > maximum) return `At most ${maximum}.`
  return undefined
}

const typeNames: Readonly<Record<InputField["type"], string>> = {
  boolean: "yes or no",
  integer: "integer",
  number: "number",
  path: "path on the machine of the dashboard",
  string: "string",
  url: "URL"
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
  readonly error: string | undefined
  readonly change: (value: Entered) => void
}

const Field = ({ change, error, field, value }: FieldProps) => {
  const id = useId()
  const { default: standard, description, enum: choices, name, type } = field
  const common = {
    id,
    name,
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`
  }
  const isNumber = type === "integer" || type === "number"
  return (
    <div class="field" data-invalid={error !== undefined}>
      <label for={id}>{name}</label>
      {description !== undefined && <p class="description">{description}</p>}
      {choices !== undefined ? (
        <select {...common} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
          {standard === undefined && <option value="">Choose a value</option>}
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
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <p class="dim" id={`${id}-hint`}>
        {hintOf(field)}
      </p>
    </div>
  )
}

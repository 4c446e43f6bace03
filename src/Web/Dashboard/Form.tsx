/** The form of one definition: its inputs, what else a run can be told, and the server's mistakes at their fields. */
import { useRef, useState } from "preact/hooks"
import { newKey, Refusal, tell } from "./Ask.ts"
import { type Entered, Field, faultOf } from "./Field.tsx"
import type { DefinitionLine, InputField, Launch, Launched } from "./Protocol/Launch.ts"
import { paths } from "./Protocol.ts"
import { go } from "./Route.ts"
import { Mistakes } from "./Shown.tsx"

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
const saidOf = (refusal: Refusal, others: number, faults: number): string =>
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
  const [refusal, setRefusal] = useState<Refusal>()
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
    const refused = failure instanceof Refusal ? failure : new Refusal(0, { error: String(failure) })
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
    tell<Launched>(paths.launch, {}, launch, key)
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
          <Mistakes mistakes={mistakes} />
        </div>
      )}
      {refusal !== undefined && (
        <div class="banner" data-tone="bad" role="alert">
          <p>{saidOf(refusal, others.length, faults.size)}</p>
          {others.length > 0 && <Mistakes mistakes={others} />}
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

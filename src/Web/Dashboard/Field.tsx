/** A field of the form that runs a pipeline: of the input's type, with its default, and with what is wrong about it. */
import { useId } from "preact/hooks"
import type { InputField } from "./Protocol/Launch.ts"

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

const kinds: Readonly<Record<InputField["type"], string>> = {
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
    choices === undefined ? kinds[type] : undefined,
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

interface Props {
  readonly field: InputField
  readonly value: Entered
  readonly fault: string | undefined
  readonly change: (value: Entered) => void
}

export const Field = ({ change, fault, field, value }: Props) => {
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

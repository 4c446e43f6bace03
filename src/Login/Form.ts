/**
 * The form of a sign-in: finds it in a page, fills it in, and sends it as a browser would: with its hidden fields (CSRF tokens among them),
 * only the chosen button, and the method, URL and encoding that the button or the form specifies.
 */
import { randomUUID } from "node:crypto"
import * as Either from "effect/Either"
import { isHttp } from "../Api/Url.ts"
import { descendantsOf, type Element, indexIds, isElement, squeeze, textOf } from "../Html/Element.ts"
import { PageUrls } from "../Html/PageUrls.ts"
import { parseSelector } from "../Html/Select.ts"
import { parseTree } from "../Html/Tree.ts"

export interface FormFields {
  readonly fields: Readonly<Record<string, string>>
  /** Selector, name, value or label of the button; default: the first one of the form. */
  readonly submit?: string | undefined
}

export interface Submission {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const typeOf = ({ attributes, name }: Element): string =>
  (attributes.type ?? (name === "button" ? "submit" : "text")).trim().toLowerCase()

const isControl = ({ name }: Element): boolean =>
  name === "input" || name === "select" || name === "textarea" || name === "button"

const isSubmit = (element: Element): boolean =>
  (element.name === "button" && typeOf(element) === "submit") ||
  (element.name === "input" && /^(?:submit|image)$/.test(typeOf(element)))

const closest = (element: Element, test: (above: Element) => boolean): Element | undefined => {
  for (let above = element.parent; above !== undefined; above = above.parent) if (test(above)) return above
  return undefined
}

const isDisabled = (element: Element): boolean =>
  element.attributes.disabled !== undefined ||
  closest(element, ({ attributes, name }) => name === "fieldset" && attributes.disabled !== undefined) !== undefined

interface Found {
  readonly form: Element
  readonly controls: ReadonlyArray<Element>
}

/** Forms of a page with their controls, including those outside of the form (`form="ID"`). */
const formsOf = (root: Element): ReadonlyArray<Found> => {
  const all = descendantsOf(root)
  const ids = indexIds(all)
  const owned = new Map<Element, Array<Element>>()
  for (const element of all) if (element.name === "form") owned.set(element, [])
  for (const element of all) {
    if (!isControl(element)) continue
    const { form: id } = element.attributes
    const form = id === undefined ? closest(element, ({ name }) => name === "form") : ids.get(id)
    if (form !== undefined) owned.get(form)?.push(element)
  }
  return [...owned].map(([form, controls]) => ({ form, controls }))
}

/** The control for a field of the definition: by name, otherwise by id. */
const controlOf = ({ controls }: Found, field: string): Element | undefined =>
  controls.find(({ attributes }) => attributes.name === field) ??
  controls.find(({ attributes }) => attributes.id === field && attributes.name !== undefined)

const namesOf = ({ controls }: Found): string => {
  const names = controls.flatMap((each) =>
    isSubmit(each) || typeOf(each) === "hidden" ? [] : (each.attributes.name ?? [])
  )
  return names.length === 0 ? "no fields with names" : [...new Set(names)].slice(0, 20).join(", ")
}

const labelOf = (button: Element): string =>
  squeeze(button.name === "button" ? textOf(button) : (button.attributes.value ?? "")).toLowerCase()

const isMeant = (button: Element, submit: string): boolean => {
  const wanted = squeeze(submit).toLowerCase()
  const { id, name, value } = button.attributes
  return [labelOf(button), name?.toLowerCase(), id?.toLowerCase(), value?.toLowerCase()].includes(wanted)
}

/** Buttons of a form that match `submit`: by label, name, id or value; if there are none, by selector. */
const buttonsFor = ({ controls }: Found, submit: string): ReadonlyArray<Element> => {
  const buttons = controls.filter((each) => isSubmit(each) && !isDisabled(each))
  const named = buttons.filter((button) => isMeant(button, submit))
  if (named.length > 0) return named
  return Either.match(parseSelector(submit), { onLeft: () => [], onRight: (test) => buttons.filter(test) })
}

const hasPassword = ({ controls }: Found): boolean => controls.some((each) => typeOf(each) === "password")

/** The forms that have all fields; those with a password come first. */
const candidates = (forms: ReadonlyArray<Found>, fields: FormFields["fields"]): ReadonlyArray<Found> => {
  const fitting = forms.filter((form) => Object.keys(fields).every((field) => controlOf(form, field) !== undefined))
  return [...fitting.filter(hasPassword), ...fitting.filter((form) => !hasPassword(form))]
}

/** Name and value that an untouched control sends; empty if it sends nothing. */
const untouched = (element: Element): ReadonlyArray<readonly [string, string]> => {
  const { attributes, name: kind } = element
  const { checked, name = "", value } = attributes
  if (name === "" || isDisabled(element)) return []
  if (kind === "textarea") return [[name, textOf(element).replace(/^\r?\n/, "")]]
  if (kind === "select") {
    const options = descendantsOf(element).filter(
      (each) => each.name === "option" && each.attributes.disabled === undefined
    )
    const chosen = options.filter((option) => option.attributes.selected !== undefined)
    const some = chosen.length > 0 ? chosen : attributes.multiple === undefined ? options.slice(0, 1) : []
    return (attributes.multiple === undefined ? some.slice(-1) : some).map((option) => [
      name,
      option.attributes.value ?? squeeze(textOf(option))
    ])
  }
  const type = typeOf(element)
  if (kind === "button" || /^(?:submit|image|button|reset|file)$/.test(type)) return []
  if (type === "checkbox" || type === "radio") return checked === undefined ? [] : [[name, value ?? "on"]]
  if (type === "hidden" && name === "_charset_") return [[name, "UTF-8"]]
  return [[name, value ?? ""]]
}

const ofButton = (button: Element | undefined): ReadonlyArray<readonly [string, string]> => {
  if (button === undefined) return []
  const { name = "", value = "" } = button.attributes
  if (button.name === "input" && typeOf(button) === "image") {
    const prefix = name === "" ? "" : `${name}.`
    return [
      [`${prefix}x`, "1"],
      [`${prefix}y`, "1"]
    ]
  }
  return name === "" ? [] : [[name, value]]
}

const quoted = (text: string): string => text.replace(/\r?\n/g, "%0D%0A").replaceAll('"', "%22")

const multipart = (pairs: ReadonlyArray<readonly [string, string]>) => {
  const boundary = `----sluice${randomUUID()}`
  const parts = pairs.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`
  )
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${parts.join("")}--${boundary}--\r\n` }
}

/** CSRF token in a meta tag, which the scripts of some frameworks send as a header. */
const metaToken = (metas: ReadonlyArray<Element>): string | undefined =>
  metas.find(({ attributes: { name = "" } }) => /^(?:csrf|xsrf)-?token$|^_csrf$/i.test(name))?.attributes.content

/** Fills in the form of a page. The left side is the reason why there is no form to send. */
export const fillIn = (
  html: string,
  url: string,
  { fields, submit }: FormFields
): Either.Either<Submission, string> => {
  const tree = parseTree(html)
  const forms = formsOf(tree.root)
  const fitting = candidates(forms, fields)
  const chosen = submit === undefined ? fitting[0] : fitting.find((form) => buttonsFor(form, submit).length > 0)
  if (chosen === undefined) {
    if (forms.length === 0)
      return Either.left(
        "the page has no form: if a script creates the form, sign in with `run` of the login, and --allow-code"
      )
    if (fitting.length > 0) return Either.left(`no form with these fields has the button ${JSON.stringify(submit)}`)
    const shown = forms.slice(0, 5).map(namesOf).join("; ")
    return Either.left(
      `no form of the page has the fields ${Object.keys(fields).join(", ")}. Fields of its forms: ${shown}`
    )
  }
  const button =
    submit === undefined
      ? chosen.controls.find((each) => isSubmit(each) && !isDisabled(each))
      : buttonsFor(chosen, submit)[0]
  const given = new Map(
    Object.entries(fields).flatMap(([field, value]) => {
      const control = controlOf(chosen, field)
      return control === undefined ? [] : [[control.attributes.name ?? field, value] as const]
    })
  )
  const pairs: Array<readonly [string, string]> = []
  const sent = new Set<string>()
  for (const control of chosen.controls) {
    const { name = "" } = control.attributes
    const own = given.get(name)
    if (control === button) pairs.push(...ofButton(button))
    else if (own === undefined) pairs.push(...untouched(control))
    else if (!sent.has(name)) pairs.push([name, own])
    if (own !== undefined) sent.add(name)
  }
  const { attributes } = chosen.form
  const own = button?.attributes ?? {}
  const urls = new PageUrls(tree, url, false)
  const action = (own.formaction ?? attributes.action ?? "").trim()
  const target = action === "" ? url : urls.resolve(action)
  if (target === undefined || !isHttp(target))
    return Either.left(
      `the form is sent by a script (${action.slice(0, 100)}): sign in with \`run\` of the login, and --allow-code`
    )
  const to = new URL(target)
  to.hash = ""
  const from = new URL(url)
  if (from.protocol === "https:" && to.protocol === "http:")
    return Either.left(`the form would send the password to ${to.origin} without encryption`)
  const method = (own.formmethod ?? attributes.method ?? "get").trim().toUpperCase() === "POST" ? "POST" : "GET"
  if (method === "GET") {
    to.search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
    return Either.right({ method, url: to.href, headers: { referer: from.href }, body: undefined })
  }
  const enctype = (own.formenctype ?? attributes.enctype ?? "").trim().toLowerCase()
  const { body, type } =
    enctype === "multipart/form-data"
      ? multipart(pairs)
      : {
          type: "application/x-www-form-urlencoded",
          body: new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
        }
  const token = metaToken(tree.metas)
  return Either.right({
    method,
    url: to.href,
    headers: {
      "content-type": type,
      origin: from.origin,
      referer: from.href,
      ...(token === undefined ? {} : { "x-csrf-token": token })
    },
    body
  })
}

/** True if the page contains the sign-in form. Does not parse pages that lack the name of a field. */
export const hasForm = (html: string, { fields }: FormFields): boolean =>
  Object.keys(fields).every((field) => html.includes(field)) &&
  candidates(formsOf(parseTree(html).root), fields).length > 0

const shownText = ({ children }: Element): string =>
  children
    .map((child) => (!isElement(child) ? child : child.layout === "unseen" ? "" : ` ${shownText(child)} `))
    .join("")

/** Visible text of a page, with single spaces. */
export const textOfPage = (html: string): string => {
  const { body } = parseTree(html)
  return body === undefined ? "" : squeeze(shownText(body))
}

/** True if the selector matches an element of the page. */
export const selects = (html: string, selector: string): boolean => {
  const test = parseSelector(selector)
  return Either.isRight(test) && descendantsOf(parseTree(html).root).some(test.right)
}

/** What the page finds in itself. */

/** The element with the id, where the mode has one. */
export const find = <E extends HTMLElement>(id: string): E | null => document.getElementById(id) as E | null

/** The element with the id, which both modes have. */
export const get = <E extends HTMLElement>(id: string): E => {
  const found = find<E>(id)
  if (found === null) throw new Error(`The page has no ${id}`)
  return found
}

let erase = 0

/** Says something for a few seconds. */
export const notice = (text: string): void => {
  const place = get("notice")
  place.textContent = text
  clearTimeout(erase)
  erase = window.setTimeout(() => {
    place.textContent = ""
  }, 6_000)
}

/** Says something to those who do not see. */
export const announce = (text: string): void => {
  get("announcer").textContent = text
}

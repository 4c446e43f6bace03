/** Why a file was not read, as it travels from the child that met it to the answer. */

/** What a caller is told by code; every one is a 422. */
export type RefusalCode = "FILE_CORRUPT" | "FILE_ENCRYPTED" | "FILE_TOO_COMPLEX"

/** Thrown by the readers, which run in a child process without Effect: starting fast is their first virtue. */
export class Refusal extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.name = "Refusal"
    this.code = code
  }
}

export const corrupt = (what: string): Refusal =>
  new Refusal("FILE_CORRUPT", `${what}. Open it in the program it was made with and save it again.`)

/** Whatever its name says. */
export const unreadable = (): Refusal =>
  new Refusal(
    "FILE_CORRUPT",
    "The content is none of what is read here: HTML, PDF, Word, Excel, OpenDocument, RTF or plain text. Convert it to one of them."
  )

export const encrypted = (what: string): Refusal =>
  new Refusal("FILE_ENCRYPTED", `${what} is protected by a password. Remove the password and send it again.`)

export const tooComplex = (what: string): Refusal =>
  new Refusal("FILE_TOO_COMPLEX", `${what}. Split the file and send the parts.`)

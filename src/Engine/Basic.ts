/** The name and the password of an address, as the header that carries them. */
import * as Option from "effect/Option"

/** What is no encoding stands for itself. */
const decoded = (text: string): string => Option.getOrElse(Option.liftThrowable(decodeURIComponent)(text), () => text)

/** Undefined when there is neither. */
export const basicOf = ({ password, username }: URL): string | undefined =>
  username === "" && password === ""
    ? undefined
    : `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`

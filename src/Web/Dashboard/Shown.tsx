/** What stands where an answer belongs that is not there: not yet, not at all, or because something went wrong. */
import type { ComponentChildren } from "preact"
import type { Asked, Refusal } from "./Ask.ts"
import type { Mistake } from "./Protocol.ts"

/** Mistakes of a definition, each with its place. */
export const Mistakes = ({ mistakes }: { readonly mistakes: ReadonlyArray<Mistake> }) => (
  <ul>
    {mistakes.map(({ column, line, message }) => (
      <li key={message}>
        {line !== undefined && <code>{`${line}:${column ?? 1} `}</code>}
        {message}
      </li>
    ))}
  </ul>
)

export const Wrong = ({ again, refusal }: { readonly refusal: Refusal; readonly again?: () => void }) => (
  <div class="banner" data-tone="bad" role="alert">
    <p>{refusal.message}</p>
    {refusal.trouble.mistakes !== undefined && <Mistakes mistakes={refusal.trouble.mistakes} />}
    {again !== undefined && (
      <button type="button" class="press" onClick={again}>
        Try again
      </button>
    )}
  </div>
)

export const Empty = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** The answer as `children` show it; what went wrong stands above an older one. */
export const Shown = <A,>({
  asked,
  children
}: {
  readonly asked: Asked<A>
  readonly children: (value: A) => ComponentChildren
}) => (
  <>
    {asked.refusal !== undefined && <Wrong refusal={asked.refusal} again={asked.again} />}
    {asked.value !== undefined
      ? children(asked.value)
      : asked.refusal === undefined && (
          <p class="loading" role="status">
            Loading …
          </p>
        )}
  </>
)

/** A figure with its name below. */
export const Fact = ({
  children,
  name,
  title,
  tone
}: {
  readonly name: string
  readonly children: ComponentChildren
  readonly tone?: string | undefined
  readonly title?: string | undefined
}) => (
  <div class="fact" data-tone={tone} title={title}>
    <dd>{children}</dd>
    <dt>{name}</dt>
  </div>
)

/** A place for what may be wider or longer than there is room for: moved by fingers, wheels and keys. */
import type { ComponentChildren } from "preact"

interface Props {
  readonly label: string
  readonly kind?: string
  readonly children: ComponentChildren
}

export const Wide = ({ children, kind = "", label }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no wheel moves it by the arrow keys
  <section class={`wide ${kind}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

interface ToggleProps<A extends string> {
  readonly label: string
  readonly value: A
  readonly sides: ReadonlyArray<readonly [side: A, title: string]>
  readonly choose: (side: A) => void
}

/** One of a few. */
export const Toggle = <A extends string>({ choose, label, sides, value }: ToggleProps<A>) => (
  <fieldset class="toggle">
    <legend class="unseen">{label}</legend>
    {sides.map(([side, title]) => (
      <button key={side} type="button" aria-pressed={side === value} onClick={() => choose(side)}>
        {title}
      </button>
    ))}
  </fieldset>
)

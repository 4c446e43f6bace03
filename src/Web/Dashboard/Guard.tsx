/** Keeps what goes wrong in a screen within it: the frame stays, and says so. */
import { Component, type ComponentChildren } from "preact"

interface Props {
  readonly children: ComponentChildren
}

export class Guard extends Component<Props, { readonly failure?: Error }> {
  static override getDerivedStateFromError(failure: Error) {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <section class="screen text">
        <h1>This screen has failed</h1>
        <p class="banner" data-tone="bad" role="alert">
          {failure.message}
        </p>
        <p>
          It is a fault of the dashboard; the runs go on. Another screen may work, or this one after it is loaded anew.
        </p>
        <button type="button" class="press" onClick={() => location.reload()}>
          Load anew
        </button>
      </section>
    )
  }
}

/** The definition as the run began with it. */
import { useAsk } from "./Ask.ts"
import type { RunDetail, Definition as Text } from "./Protocol/Runs.ts"
import { paths } from "./Protocol.ts"
import { Shown } from "./Shown.tsx"
import { Wide } from "./Wide.tsx"

export const Definition = ({ run }: { readonly run: RunDetail }) => {
  const asked = useAsk<Text>(paths.definition, { id: run.id })
  return (
    <Shown asked={asked}>
      {({ file, text }) => (
        <>
          <p class="dim">
            <code>{file}</code>, as it was when the run began
          </p>
          <Wide label="Definition">
            <pre class="log">{text}</pre>
          </Wide>
        </>
      )}
    </Shown>
  )
}

/** Runs a pipeline: which one, and then a form with what it can be given. */
import { useAsk } from "./Ask.ts"
import { Form } from "./Form.tsx"
import { many } from "./Format.ts"
import { Icon } from "./Icon.tsx"
import type { DefinitionLine, Definitions } from "./Protocol/Launch.ts"
import { paths } from "./Protocol.ts"
import { type Route, to } from "./Route.ts"
import { Empty, Shown } from "./Shown.tsx"

const Choice = ({
  definition: { description, file, inputs, mistakes, name }
}: {
  readonly definition: DefinitionLine
}) => (
  <li>
    <a href={to(["start"], { file })} class="choice">
      <b>{name}</b>
      <span class="id">{file}</span>
      {description !== undefined && <span>{description}</span>}
      <small>
        {mistakes.length > 0 ? (
          <span class="wrong">✕ {many(mistakes.length, "mistake")}</span>
        ) : inputs.length === 0 ? (
          "takes no inputs"
        ) : (
          many(inputs.length, "input")
        )}
      </small>
    </a>
  </li>
)

export const Start = ({ route }: { readonly route: Route }) => {
  const asked = useAsk<Definitions>(paths.definitions)
  const file = route.query.get("file")
  return (
    <section class="screen text">
      {file !== null && (
        <p class="trail">
          <a href={to(["start"])}>
            <Icon name="back" size={14} /> All pipelines
          </a>
        </p>
      )}
      <Shown asked={asked}>
        {({ definitions, folder, why }) => {
          const chosen = definitions.find((each) => each.file === file)
          if (chosen !== undefined) return <Form key={chosen.file} definition={chosen} />
          return (
            <>
              <h1>Run a pipeline</h1>
              {file !== null && (
                <p class="banner" data-tone="warn">
                  There is no definition {file} in the folder now.
                </p>
              )}
              {folder === null ? (
                <Empty title="There is no folder of definitions">
                  <p>{why}</p>
                </Empty>
              ) : definitions.length === 0 ? (
                <Empty title="The folder has no definitions">
                  <p>
                    <code>npx sluice init</code> makes a pipeline that runs, in <code>{folder}</code> or wherever you
                    are.
                  </p>
                </Empty>
              ) : (
                <>
                  <p class="dim">
                    Definitions in <code>{folder}</code>
                  </p>
                  <ul class="definitions">
                    {definitions.map((definition) => (
                      <Choice key={definition.file} definition={definition} />
                    ))}
                  </ul>
                </>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}

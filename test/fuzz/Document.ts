/** The OpenAPI document as an engine serves it, and what of it is one operation. */
import type { Schema } from "./Values.ts"

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

export interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly parameters?: ReadonlyArray<Parameter>
            readonly requestBody?: Content
            readonly responses: Readonly<Record<string, Content>>
          }
        >
      >
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly id: string
  /** In capitals. */
  readonly method: string
  /** With `{id}` where something goes. */
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Of a JSON body. */
  readonly body: Schema | undefined
  readonly isUpload: boolean
  readonly statuses: ReadonlySet<number>
}

/** Every operation that is documented. */
export const operationsOf = ({ paths }: Document): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content?.["application/json"]?.schema,
      isUpload: requestBody?.content?.["multipart/form-data"] !== undefined,
      statuses: new Set(Object.keys(responses).map(Number))
    }))
  )

/** An OpenAPI 3.1 document, plain JSON. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly [part: string]: unknown }
  readonly paths: Readonly<Record<string, object>>
  readonly [part: string]: unknown
}

/** The part of the package, which brings no types, that the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } }
    callback(): RequestListener
  }
}

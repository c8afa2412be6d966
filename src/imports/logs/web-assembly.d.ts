/** What is used of the WebAssembly of every JavaScript engine; TypeScript knows it with the types of browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array)
    readonly [Symbol.toStringTag]: string
  }
  class Memory {
    /** In pages of 64 KiB. */
    constructor(size: { initial: number; maximum: number; shared: true })
    readonly buffer: SharedArrayBuffer
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: unknown
  }
}

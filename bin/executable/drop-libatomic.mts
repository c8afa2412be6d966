/**
 * Makes a Linux executable for x64 independent of `libatomic.so.1`, which small systems don't have: Node is linked to it
 * for one function, `__atomic_compare_exchange`, that V8 calls for eight bytes only. Its code is put behind the program's
 * own, the call is bound to it, and the library is taken off the list of what has to be loaded. Changes `file`; gives
 * whether there was anything to do. Throws for an executable that is made in another way.
 */
export function dropLibatomic(file: Buffer): boolean {
  const elf = readElf(file)
  if (elf === undefined) return false
  const needed = elf.dynamic.findIndex(({ tag, value }) => tag === DT_NEEDED && elf.textAt(value) === LIBRARY)
  if (needed < 0) return false
  bindCall(file, elf, appendCode(file, elf))
  dropVersions(file, elf)
  for (const [index, { offset }] of elf.dynamic.entries()) {
    if (index >= needed) file.copy(file, offset, offset + DYNAMIC_BYTES, offset + 2 * DYNAMIC_BYTES)
  }
  return true
}

const LIBRARY = 'libatomic.so.1'
const FUNCTION = '__atomic_compare_exchange'

/**
 * `bool (size, target, expected, desired, …)` for eight bytes; any other size stops the program at once.
 *
 *     cmp edi, 8; jne stop; mov rax, [rdx]; mov rcx, [rcx]; lock cmpxchg [rsi], rcx; je done; mov [rdx], rax
 *     done: sete al; ret
 *     stop: ud2
 */
const CODE = Buffer.from('83ff087514488b02488b09f0480fb10e74034889020f94c0c30f0b', 'hex')

const [PT_LOAD, PT_DYNAMIC, EXECUTABLE] = [1, 2, 1]
const [DT_NULL, DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_JMPREL, DT_PLTRELSZ] = [0, 1, 5, 6, 23, 2]
const [DT_VERNEED, DT_VERNEEDNUM] = [0x6ffffffe, 0x6fffffff]
const [R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE] = [7, 8]
const [DYNAMIC_BYTES, RELOCATION_BYTES, SYMBOL_BYTES, PAGE_BYTES] = [16, 24, 24, 4096]

interface Segment {
  readonly headerAt: number
  readonly type: number
  readonly flags: number
  readonly offset: number
  readonly address: number
  readonly bytes: number
}

type Elf = NonNullable<ReturnType<typeof readElf>>

function readElf(file: Buffer) {
  const isLinuxX64 = file.toString('latin1', 0, 6) === '\x7fELF\x02\x01' && file.readUInt16LE(18) === 62
  if (!isLinuxX64) return undefined
  const segments: Segment[] = Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const headerAt = toNumber(file, 32) + index * file.readUInt16LE(54)
    return {
      headerAt,
      type: file.readUInt32LE(headerAt),
      flags: file.readUInt32LE(headerAt + 4),
      offset: toNumber(file, headerAt + 8),
      address: toNumber(file, headerAt + 16),
      bytes: toNumber(file, headerAt + 32),
    }
  })
  const toOffset = (address: number): number => {
    const segment = segments.find(
      (one) => one.type === PT_LOAD && address >= one.address && address < one.address + one.bytes,
    )
    if (segment === undefined) throw new Error(`nothing of the executable is loaded at ${address.toString(16)}`)
    return address - segment.address + segment.offset
  }
  const dynamic: { readonly offset: number; readonly tag: number; readonly value: number }[] = []
  const start = segments.find(({ type }) => type === PT_DYNAMIC)?.offset ?? fail('dynamic section')
  for (let offset = start; toNumber(file, offset) !== DT_NULL; offset += DYNAMIC_BYTES) {
    dynamic.push({ offset, tag: toNumber(file, offset), value: toNumber(file, offset + 8) })
  }
  const find = (tag: number) => dynamic.find((entry) => entry.tag === tag) ?? fail(`dynamic entry ${tag}`)
  const texts = toOffset(find(DT_STRTAB).value)
  const textAt = (index: number): string => file.toString('latin1', texts + index, file.indexOf(0, texts + index))
  return { segments, toOffset, dynamic, find, textAt }
}

/** Into the rest of the last page of the program's code, which is loaded with it. Gives the address. */
function appendCode(file: Buffer, { segments }: Elf): number {
  const code = segments.find(({ type, flags }) => type === PT_LOAD && (flags & EXECUTABLE) !== 0) ?? fail('code')
  const start = Math.ceil(code.bytes / 16) * 16
  const bytes = start + CODE.length
  const place = file.subarray(code.offset + code.bytes, code.offset + bytes)
  if (Math.ceil(bytes / PAGE_BYTES) !== Math.ceil(code.bytes / PAGE_BYTES) || place.some((byte) => byte !== 0)) {
    fail('room behind the code')
  }
  CODE.copy(file, code.offset + start)
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(bytes), code.headerAt + field)
  return code.address + start
}

function bindCall(file: Buffer, { find, textAt, toOffset }: Elf, address: number): void {
  const start = toOffset(find(DT_JMPREL).value)
  const symbols = toOffset(find(DT_SYMTAB).value)
  for (let at = start; at < start + find(DT_PLTRELSZ).value; at += RELOCATION_BYTES) {
    const symbol = symbols + file.readUInt32LE(at + 12) * SYMBOL_BYTES
    if (file.readUInt32LE(at + 8) === R_X86_64_JUMP_SLOT && textAt(file.readUInt32LE(symbol)) === FUNCTION) {
      file.writeBigUInt64LE(BigInt(R_X86_64_RELATIVE), at + 8)
      file.writeBigUInt64LE(BigInt(address), at + 16)
      return
    }
  }
  fail(`call of ${FUNCTION}`)
}

/** Versions are asked of libraries that are loaded; the list is chained, and one function is all that is asked. */
function dropVersions(file: Buffer, { find, textAt, toOffset }: Elf): void {
  const [list, count] = [find(DT_VERNEED), find(DT_VERNEEDNUM)]
  let previous: number | undefined
  for (let at = toOffset(list.value); ; at += file.readUInt32LE(at + 12)) {
    const [versions, next] = [file.readUInt16LE(at + 2), file.readUInt32LE(at + 12)]
    if (textAt(file.readUInt32LE(at + 4)) === LIBRARY) {
      if (versions !== 1 || next === 0) fail(`list with one version of ${LIBRARY}`)
      if (previous === undefined) file.writeBigUInt64LE(BigInt(list.value + next), list.offset + 8)
      else file.writeUInt32LE(file.readUInt32LE(previous + 12) + next, previous + 12)
      file.writeBigUInt64LE(BigInt(count.value - 1), count.offset + 8)
      return
    }
    if (next === 0) fail(`version of ${LIBRARY}`)
    previous = at
  }
}

function toNumber(file: Buffer, offset: number): number {
  return Number(file.readBigUInt64LE(offset))
}

function fail(what: string): never {
  throw new Error(`Node's executable is made in another way than expected: no ${what}`)
}

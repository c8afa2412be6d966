import { LOG_BATCH_BYTES, LOG_LINE_BYTES_MAX } from '../../limits.ts'
import { RETURN_BYTES } from '../lines.ts'
import { READ_BEHIND_BYTES, USUAL_LINES_BYTES } from './usual-lines.ts'

/** Memory for batches of lines, that threads can share. */
export interface LineMemory {
  readonly memory: WebAssembly.Memory
  /** Places for one batch each; what stands behind a batch may be read, too. */
  readonly slots: readonly Buffer[]
}

/** A line that is too long is noticed when it is over; until then a batch may stand before it. */
const SLOT_BYTES = LOG_LINE_BYTES_MAX + RETURN_BYTES + 2 * LOG_BATCH_BYTES

/** Given no memory, it takes new. */
export function openLineMemory(slotCount: number, memory: WebAssembly.Memory = takeMemory(slotCount)): LineMemory {
  const slots = Array.from({ length: slotCount }, (_, no) =>
    Buffer.from(memory.buffer, USUAL_LINES_BYTES + no * SLOT_BYTES, SLOT_BYTES),
  )
  return { memory, slots }
}

function takeMemory(slotCount: number): WebAssembly.Memory {
  const bytes = USUAL_LINES_BYTES + slotCount * SLOT_BYTES + READ_BEHIND_BYTES
  const pages = Math.ceil(bytes / PAGE_BYTES)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

const PAGE_BYTES = 64 * 1_024

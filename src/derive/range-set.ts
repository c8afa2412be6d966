import type { Address, AddressRange } from './addresses.ts'

/** Addresses covered by any of some ranges. */
export interface RangeSet {
  contains(address: Address): boolean
}

/** Sorted, merged ranges of both families; a look-up is a binary search. */
export function createRangeSet(ranges: readonly AddressRange[]): RangeSet {
  const { ipv4, ipv6 } = mergeFamilies(ranges)
  return {
    contains: (address) => (typeof address === 'number' ? isWithin(ipv4, address) : isWithin(ipv6, address)),
  }
}

/** How many addresses are in any of the ranges, each counted once. */
export function countAddresses(ranges: readonly AddressRange[]): { readonly ipv4: bigint; readonly ipv6: bigint } {
  const { ipv4, ipv6 } = mergeFamilies(ranges)
  return { ipv4: sizeOf(ipv4), ipv6: sizeOf(ipv6) }
}

function mergeFamilies(ranges: readonly AddressRange[]): { ipv4: Merged<number>; ipv6: Merged<bigint> } {
  return {
    ipv4: merge(
      ranges.flatMap(({ first, last }) => (typeof first === 'number' ? [[first, Number(last)] as const] : [])),
    ),
    ipv6: merge(
      ranges.flatMap(({ first, last }) => (typeof first === 'bigint' ? [[first, BigInt(last)] as const] : [])),
    ),
  }
}

function sizeOf({ firsts, lasts }: Merged<Address>): bigint {
  return lasts.reduce<bigint>((sum, last, index) => sum + BigInt(last) - BigInt(firsts[index] ?? 0) + 1n, 0n)
}

interface Merged<A> {
  readonly firsts: readonly A[]
  readonly lasts: readonly A[]
}

function merge<A extends Address>(ranges: readonly (readonly [A, A])[]): Merged<A> {
  const firsts: A[] = []
  const lasts: A[] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const end = lasts.at(-1)
    if (end === undefined || first > end) {
      firsts.push(first)
      lasts.push(last)
    } else if (last > end) lasts[lasts.length - 1] = last
  }
  return { firsts, lasts }
}

function isWithin<A extends Address>({ firsts, lasts }: Merged<A>, address: A): boolean {
  let low = 0
  let high = firsts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const first = firsts[middle]
    if (first !== undefined && first <= address) low = middle + 1
    else high = middle
  }
  const last = lasts[low - 1]
  return last !== undefined && address <= last
}

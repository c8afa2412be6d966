/**
 * Judges the usual lines of a `combined` log where they lie in memory, sixteen bytes at a time: no user, the request of a
 * path, nothing escaped, plain ASCII, nothing behind the user agent but `X-Forwarded-For`. A line that is not usual, and one
 * of a visitor whom an answer engine may have sent, is left to the caller. Written in AssemblyScript;
 * `npm run build:usual-lines` compiles it into ../usual-lines-code.ts.
 */
import { ADDRESS, AGENT, find, ORIGIN, PATH, TABLES_END } from './remembered-texts'

export { forget } from './remembered-texts'

/** Seconds since 1970 at the start of the minute of the time at `start`, or less than 0. */
declare function readMinute(start: usize): f64

// What a user agent means; a bot's is its number and BOT. 0 is nobody of interest.
const VISITOR: u32 = 1
const BOT: u32 = 2

const HITS_MAX: u32 = 16_384
const COLUMN_BYTES: usize = HITS_MAX * 4

/** Columns of hits: place of the path, time, bot, client, status. */
export const HITS_AT: usize = TABLES_END
export const HITS_ROOM: u32 = HITS_MAX
const LAST_TIME: usize = HITS_AT + 5 * COLUMN_BYTES
/** From here on memory is the caller's. */
export const FREE_AT: usize = LAST_TIME + 32

/** Counted since the caller set them to 0. */
export let lines: u32 = 0
export let hits: u32 = 0
/** Set by the caller: longer lines are not counted, without their `\n`. */
export let lineBytesMax: u32 = 0
/** Set by the caller: lines of bots are not counted either. */
export let leavesBots: bool = false

let minuteStart: u32 = 0

// No time, so that none is like the one before the first.
memory.fill(LAST_TIME, 0xff, 32)

/**
 * Counts usual lines from `start` on and gives where the first one starts that it doesn't count; `end` when there is none.
 * `hits` may be full before. The byte before `end` must be `\n`, and 32 bytes behind
 * it must be there, whatever they are.
 */
export function scan(start: usize, end: usize): usize {
  let at = start
  while (at < end && hits < HITS_MAX) {
    const next = takeLine(at)
    if (next == 0) break
    lines += 1
    at = next
  }
  return at
}

/** Where the line after the one at `start` starts; 0 when the line isn't counted. */
function takeLine(start: usize): usize {
  const addressEnd = findSpace(start)
  if (addressEnd == start || (load<u64>(addressEnd) & 0xffff_ffff_ffff) != 0x5b20_2d20_2d20) return 0 // ` - - [`
  const time = addressEnd + 6
  const second = readSecond(time)
  if (second == u32.MAX_VALUE || (load<u32>(time + 26) & 0xff_ffff) != 0x22_205d) return 0 // `] "`
  const request = time + 29

  const isGet = load<u32>(request) == 0x2054_4547 // `GET `
  const methodEnd = isGet ? request + 3 : findMethodEnd(request)
  if (methodEnd == request || load<u16>(methodEnd) != 0x2f20) return 0 // ` /`
  const path = methodEnd + 1
  const mark = findMark(path)
  const requestEnd = load<u8>(mark) == QUOTE ? mark : findQuote(mark)
  if (load<u8>(requestEnd) != QUOTE || requestEnd < methodEnd + 11) return 0
  const target = requestEnd - 9
  if ((load<u64>(target) & 0xffff_ffff_ffff) != 0x2f50_5454_4820) return 0 // ` HTTP/`
  if (!isDigit(load<u8>(target + 6)) || load<u8>(target + 7) != DOT || !isDigit(load<u8>(target + 8))) return 0

  // ` 200 5123 "`
  const answer = requestEnd + 1
  const status = readStatus(answer)
  if (status == 0) return 0
  let at = answer + 5
  if (load<u8>(at) == HYPHEN) at += 1
  else {
    while (isDigit(load<u8>(at))) at += 1
    if (at == answer + 5) return 0
  }
  if (load<u16>(at) != 0x2220) return 0
  const referer = at + 2
  const refererEnd = findQuote(referer)
  if ((load<u32>(refererEnd) & 0xff_ffff) != 0x22_2022) return 0 // `" "`
  const agent = refererEnd + 3
  const agentEnd = findQuote(agent)
  if (load<u8>(agentEnd) != QUOTE) return 0
  let end = agentEnd + 1
  if (load<u16>(end) == 0x2220) {
    const quote = findQuote(end + 2)
    if (load<u8>(quote) != QUOTE) return 0
    end = quote + 1
  }
  if (load<u8>(end) == RETURN) end += 1
  if (load<u8>(end) != NEWLINE || end - start > lineBytesMax) return 0

  const meaning = find(AGENT, agent, <u32>(agentEnd - agent))
  if (meaning >= BOT) {
    if (leavesBots) return 0
    addHit(
      find(PATH, path, <u32>((mark < target ? mark : target) - path)),
      second,
      meaning - BOT,
      find(ADDRESS, start, <u32>(addressEnd - start)),
      status,
    )
  } else if (meaning == VISITOR && isGet && isShown(status)) {
    if (mark < target && hasUtm(mark, requestEnd)) return 0
    if (refererEnd - referer > 1) {
      const originEnd = findOriginEnd(referer, refererEnd)
      if (find(ORIGIN, referer, <u32>(originEnd - referer)) != 0) return 0
    }
  }
  return end + 1
}

function addHit(path: u32, second: u32, bot: u32, client: u32, status: u32): void {
  const at = HITS_AT + hits * 4
  store<u32>(at, path)
  store<u32>(at + COLUMN_BYTES, second)
  store<u32>(at + 2 * COLUMN_BYTES, bot)
  store<u32>(at + 3 * COLUMN_BYTES, client)
  store<u32>(at + 4 * COLUMN_BYTES, status)
  hits += 1
}

const NEWLINE: u8 = 0x0a
const RETURN: u8 = 0x0d
const SPACE: u8 = 0x20
const QUOTE: u8 = 0x22
const HASH: u8 = 0x23
const HYPHEN: u8 = 0x2d
const DOT: u8 = 0x2e
const SLASH: u8 = 0x2f
const ZERO: u8 = 0x30
const QUESTION: u8 = 0x3f
const BACKSLASH: u8 = 0x5c

function isDigit(byte: u8): bool {
  return byte - ZERO <= 9
}

function isShown(status: u32): bool {
  return status - 200 < 100 || status == 304
}

/** First space, or byte that no usual line has, from `start` on. */
function findSpace(start: usize): usize {
  let at = start
  while (true) {
    const bytes = v128.load(at)
    const found = v128.bitmask<u8>(v128.or(v128.or(toOdd(bytes), v128.eq<u8>(bytes, v128.splat<u8>(SPACE))), bytes))
    if (found != 0) return at + ctz(found)
    at += 16
  }
}

/** First quote, or byte that no usual line has, from `start` on. */
function findQuote(start: usize): usize {
  let at = start
  while (true) {
    const found = v128.bitmask<u8>(toOdd(v128.load(at)))
    if (found != 0) return at + ctz(found)
    at += 16
  }
}

/** First quote, question mark or hash, or byte that no usual line has, from `start` on. */
function findMark(start: usize): usize {
  let at = start
  while (true) {
    const bytes = v128.load(at)
    const marks = v128.or(v128.eq<u8>(bytes, v128.splat<u8>(QUESTION)), v128.eq<u8>(bytes, v128.splat<u8>(HASH)))
    const found = v128.bitmask<u8>(v128.or(toOdd(bytes), marks))
    if (found != 0) return at + ctz(found)
    at += 16
  }
}

/** Sets the highest bit of quotes, backslashes, ends of lines and of what is no ASCII. */
function toOdd(bytes: v128): v128 {
  const quotes = v128.or(v128.eq<u8>(bytes, v128.splat<u8>(QUOTE)), v128.eq<u8>(bytes, v128.splat<u8>(BACKSLASH)))
  return v128.or(v128.or(quotes, v128.eq<u8>(bytes, v128.splat<u8>(NEWLINE))), bytes)
}

function findMethodEnd(start: usize): usize {
  let at = start
  while (load<u8>(at) - 0x41 < 26) at += 1
  return at
}

/** The status in ` 200 `; 0 when it is none. */
function readStatus(start: usize): u32 {
  const hundreds = load<u8>(start + 1)
  const tens = load<u8>(start + 2)
  const ones = load<u8>(start + 3)
  if (!isDigit(hundreds) || !isDigit(tens) || !isDigit(ones)) return 0
  if (load<u8>(start) != SPACE || load<u8>(start + 4) != SPACE) return 0
  return <u32>(hundreds - ZERO) * 100 + <u32>(tens - ZERO) * 10 + <u32>(ones - ZERO)
}

/** Seconds since 1970 of `17/May/2015:10:05:03 +0000`: in most lines only the second differs from the line before. */
function readSecond(start: usize): u32 {
  const tens = load<u8>(start + 18) - ZERO
  const ones = load<u8>(start + 19) - ZERO
  if (tens > 5 || ones > 9) return u32.MAX_VALUE
  const differs = v128.or(
    v128.xor(v128.load(start), v128.load(LAST_TIME)),
    v128.xor(i16x8.replace_lane(v128.load(start + 10), 4, 0), v128.load(LAST_TIME + 16)),
  )
  if (v128.any_true(differs)) {
    const minute = readMinute(start)
    if (minute < 0) return u32.MAX_VALUE
    minuteStart = <u32>minute
    v128.store(LAST_TIME, v128.load(start))
    v128.store(LAST_TIME + 16, i16x8.replace_lane(v128.load(start + 10), 4, 0))
  }
  return minuteStart + <u32>tens * 10 + <u32>ones
}

/** Whether `utm` stands between, in capitals or not. */
function hasUtm(start: usize, end: usize): bool {
  for (let at = start; at + 2 < end; at++) {
    if ((load<u32>(at) & 0xdf_dfdf) == 0x4d_5455) return true
  }
  return false
}

/** Where the path of a referer starts: at the next slash behind the first two that stand together. */
function findOriginEnd(start: usize, end: usize): usize {
  let at = start + 1
  while (at < end && load<u16>(at - 1) != 0x2f2f) at += 1
  at += 1
  while (at < end && load<u8>(at) != SLASH) at += 1
  return at < end ? at : end
}

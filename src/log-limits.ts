/** Every bound of log imports with its unit and reason. */

/** Longest line of an access log: user agent, referer and path of 64 KB each, with room for escapes and cookies. */
export const LOG_LINE_BYTES_MAX = 1_024 * 1_024

/** What the recognition of a log's format looks at. */
export const LOG_SAMPLE_LINES_MAX = 50
export const LOG_SAMPLE_BYTES_MAX = 256 * 1_024
/** Newest time of a log line, in seconds since 1970: 2106-02-07, what four bytes hold. */
export const LOG_SECONDS_MAX = 0xffff_ffff
/**
 * Beginning of a log's content by which it is noted, in bytes: longer than the headers that many logs share, short so
 * that cut copies are noticed; and the longest by which one is looked up, as stored data may have it.
 */
export const LOG_HEAD_BYTES = 2 * 1_024
export const LOG_HEAD_BYTES_MAX = 64 * 1_024
/** Age of a file's last change from which on it is taken for the last one of its time, in milliseconds. */
export const LOG_FILE_SETTLED_MS = 2_000
/** Content up to a checkpoint by which it is proved, in bytes. */
export const LOG_TAIL_BYTES = 4 * 1_024
/** Ends of one log's earlier imports that stay known, for copies that were made there. */
export const LOG_ENDS_MAX = 100
/**
 * What of logs is put through one step, which bounds an import's memory: hits and visits, distinct paths and their
 * characters. A step makes a file of nearly every data set, and files beyond a few a month have to be merged again.
 */
export const LOG_CHUNK_ROWS_MAX = 500_000
export const LOG_CHUNK_PATHS_MAX = 200_000
export const LOG_CHUNK_PATH_CHARACTERS_MAX = 16 * 1_024 * 1_024
/** Distinct paths, and their characters, that a thread numbers before it starts anew. */
export const LOG_PATHS_KNOWN_MAX = 50_000
export const LOG_PATH_CHARACTERS_KNOWN_MAX = 4 * 1_024 * 1_024
/** What of a log is classified at once: whole lines, longer than any may be. */
export const LOG_BLOCK_BYTES = 4 * 1_024 * 1_024
/** Hosts that aren't the site's which are counted apart, in a block and in an import; and those that a result names. */
export const LOG_OTHER_HOSTS_MAX = 10_000
export const LOG_OTHER_HOSTS_LISTED_MAX = 20
/** Content from which on several threads classify it, and how many there are at most. */
export const LOG_PARALLEL_BYTES_MIN = 32 * 1_024 * 1_024
export const LOG_THREADS_MAX = 4
/** Short-lived objects that such a thread keeps before it clears up, in MiB: left alone, V8 takes tens for each. */
export const LOG_THREAD_YOUNG_MIB = 12
/** Request ids remembered to count a request with several records once; they stand close together. */
export const LOG_REQUEST_IDS_MAX = 100_000
/** Of them, those that a checkpoint keeps: the records of one request are written within a few seconds. */
export const LOG_CHECKPOINT_REQUEST_IDS_MAX = 2_000

/** Shortest prefix taken from a published document, in bits; the widest known are a /17 and Yandex's 2a02:6b8::/29. */
export const RANGE_PREFIX_BITS_MIN = { ipv4: 12, ipv6: 28 } as const
/** Addresses of all ranges of a bot together: more would verify much of the internet. */
export const RANGE_ADDRESSES_MAX = { ipv4: 2n ** 24n, ipv6: 2n ** 100n } as const
/** Prefixes of one published document; the longest known has about 1,500. */
export const RANGE_PREFIXES_MAX = 100_000
/** A provider's document: its size, and how long fetching it may take. The largest known has 150 KB. */
export const RANGES_DOCUMENT_BYTES_MAX = 4 * 1_024 * 1_024
export const RANGES_FETCH_TIMEOUT_MS = 20_000
/** Age at which loaded ranges are called old (contract/api 5.9). */
export const RANGES_AGE_MS_MAX = 30 * 24 * 60 * 60 * 1_000

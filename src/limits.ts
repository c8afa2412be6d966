/** Every bound of the program with its unit and reason. The specification's section or the decision is named where it fixes the value. */

/** `end_date` at most this many days after `start_date` (spec.md 8). */
export const RANGE_DAYS_MAX = { answers: 92, logs: 400 } as const

/** Conditions, depth and members of a filter (decisions.md 4). */
export const FILTER_DEPTH_MAX = 5
export const FILTER_CONDITIONS_MAX = 100
export const FILTER_MEMBERS_MAX = 50
export const FILTER_VALUES_MAX = 500
export const FILTER_VALUE_CHARACTERS_MAX = 1_000

/** `brands` given as a list (decisions.md 5.3). */
export const BRANDS_LIST_MAX = 100

/** A replaced snapshot stays readable this long (decisions.md 6). */
export const SNAPSHOT_GRACE_MS = 60 * 60 * 1_000

/** One report's query; past it the query is interrupted and answered with 503 `query_timeout`. */
export const QUERY_TIMEOUT_MS = 30_000
/** Queries running at once; each holds a thread of libuv's pool, which file and DNS calls need too. */
export const QUERIES_RUNNING_MAX = 4
/** Queries waiting for a place; one more is answered with 503 `overloaded`. */
export const QUERIES_WAITING_MAX = 64
/** Longest wait for a place. */
export const QUERY_WAIT_MS_MAX = 10_000
/** How often an interrupt is repeated until the query gives up: one sent before the query began is lost. */
export const INTERRUPT_REPEAT_MS = 25

/** How long requests under way may take after SIGTERM, unless configured; below the 35 s of the systemd unit. */
export const SHUTDOWN_GRACE_MS = 25_000

/** Memory of DuckDB in the server and in an import, in MiB, unless configured; Node needs its own beside it. */
export const SERVER_QUERY_MEMORY_MIB = 1_024
export const IMPORT_MEMORY_MIB = 192
/** What DuckDB may spill to disk, in GiB. */
export const SPILL_GIB_MAX = 20

/** Finished reports kept in memory for repetition, in entries and in bytes of their rows as JSON. */
export const REPORT_CACHE_ENTRIES_MAX = 500
export const REPORT_CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/** Longest cursor accepted, in characters. */
export const CURSOR_CHARACTERS_MAX = 1_024

/** Rows of answers put through one step of an import, and the bytes of their texts: what bounds an import's memory. */
export const IMPORT_CHUNK_ROWS_MAX = 20_000
export const IMPORT_CHUNK_TEXT_BYTES_MAX = 32 * 1_024 * 1_024

/** Rejections listed in an import's result; all of them go to `--rejects` (formats.md 2.4). */
export const REJECTIONS_LISTED_MAX = 20

/** SQLite's own wait for another writer, in milliseconds: the server's blocks its event loop, so it is short. */
export const CATALOG_BUSY_TIMEOUT_MS = { server: 250, command: 30_000 } as const
/** How long a write of the catalog is repeated when SQLite refuses without waiting; the server repeats asynchronously instead. */
export const CATALOG_WAIT_MS = { server: 0, command: 30_000 } as const
/** Pause between two tries. */
export const CATALOG_BUSY_PAUSE_MS = 20
/** Asynchronous tries of a write in the server before it answers 503 `overloaded`. */
export const CATALOG_RETRIES_MAX = 2
/** What SQLite keeps of its write-ahead log after a checkpoint. */
export const CATALOG_JOURNAL_BYTES_MAX = 64 * 1_024 * 1_024
/** Keys held in memory; the rest are looked up. */
export const KEY_CACHE_ENTRIES_MAX = 10_000
/** A key's last use is written at most this often (decisions.md 3.4). */
export const KEY_LAST_USED_FLUSH_MS = 60_000

/** Defaults of an organization (spec.md 8, decisions.md 3.2, formats.md 1). */
export const PROMPT_LIMIT_DEFAULT = 500
export const REQUESTS_PER_MINUTE_DEFAULT = 600
export const WRITES_PER_MINUTE_DEFAULT = 20

/** Lengths of what operators type, in characters; a prompt is a question, not a document. */
export const NAME_CHARACTERS_MAX = 200
export const PROMPT_CHARACTERS_MAX = 4_000
/** Further spellings of a brand, and domains of a competitor. */
export const SPELLINGS_MAX = 100

/** Bytes asked of a file at once, and of decompressed content handed on at once: large enough to hide the calls, small enough to stay flat. */
export const READ_CHUNK_BYTES = 256 * 1_024
export const INFLATED_CHUNK_BYTES = 512 * 1_024

/** Longest line of an access log: user agent, referer and path of 64 KB each, with room for escapes and cookies. */
export const LOG_LINE_BYTES_MAX = 1_024 * 1_024
/** Longest record of an answers file; a raw answer with its sources is some hundred kilobytes. */
export const ANSWER_RECORD_BYTES_MAX = 16 * 1_024 * 1_024

/** What the recognition of a log's format looks at. */
export const LOG_SAMPLE_LINES_MAX = 50
export const LOG_SAMPLE_BYTES_MAX = 256 * 1_024
/** Request ids remembered to count a request with several records once; they stand close together. */
export const LOG_REQUEST_IDS_MAX = 100_000

/**
 * Every bound of the program with its unit and reason; those of log imports are in `log-limits.ts`, those of paid calls in
 * `call-limits.ts`, those of publications in `publication-limits.ts`, those of users in `people-limits.ts`. The contract's section is named where it fixes the value.
 */

/** `end_date` at most this many days after `start_date` (contract/api 13). */
export const RANGE_DAYS_MAX = { answers: 92, logs: 400 } as const

/** Conditions, depth and members of a filter (contract/api 4.1). */
export const FILTER_DEPTH_MAX = 5
export const FILTER_CONDITIONS_MAX = 100
export const FILTER_MEMBERS_MAX = 50
export const FILTER_VALUES_MAX = 500
export const FILTER_VALUE_CHARACTERS_MAX = 1_000
/**
 * Expressions of `matches` in one request, and of each its characters, its greatest repetition by a count, and its size
 * with such repetitions written out: what compiling and running them takes can't be interrupted in between.
 */
export const PATTERNS_MAX = 20
export const PATTERN_CHARACTERS_MAX = 200
export const PATTERN_REPETITION_MAX = 100
export const PATTERN_SIZE_MAX = 500

/** `brands` given as a list (contract/api 5.3). */
export const BRANDS_LIST_MAX = 100

/** Brands of prompts on engines that one report of changes compares: more take seconds in which nobody else is answered. */
export const CHANGE_CELLS_MAX = 200_000

/** Texts and links of one page's answers, in bytes; the page ends before the answer that exceeds it, unless it is the first. */
export const ANSWERS_PAGE_BYTES_MAX = 8 * 1_024 * 1_024

/** Rows of a whole result, as CSV and NDJSON give it (contract/api 14.4). */
export const WHOLE_ROWS_MAX = 100_000
/** Rows of a whole result that are made at once, and that are read at once; of stored answers ANSWERS_PAGE_BYTES_MAX bounds them too, and `long` at once leave DuckDB: of so few nothing outlives young garbage. */
export const WHOLE_BATCH_ROWS = { first: 256, most: 2_048, long: 16 } as const
/** How long a whole result may take to be fetched, from its first row on. */
export const WHOLE_RESULT_MS_MAX = 15 * 60 * 1_000
/** Whole results that are sent at once, half of them to one key at most, and that wait: each keeps its rows in DuckDB. */
export const WHOLE_RESULTS_RUNNING_MAX = 8
export const WHOLE_RESULTS_WAITING_MAX = 64

/** A replaced snapshot stays readable this long (contract/api 6). */
export const SNAPSHOT_GRACE_MS = 60 * 60 * 1_000

/** One report's query; past it the query is interrupted and answered with 503 `query_timeout`. */
export const QUERY_TIMEOUT_MS = 30_000
/** Queries running at once, half of them for one caller at most; each holds a thread of libuv's pool, which file and DNS calls need too. */
export const QUERIES_RUNNING_MAX = 4
/** Queries waiting for a slot; one caller has half of them at most, and one more is answered with 503 `overloaded`. */
export const QUERIES_WAITING_MAX = 128
/** Longest wait for a slot. */
export const QUERY_WAIT_MS_MAX = 10_000
/** How often an interrupt is repeated until the query gives up: one sent before the query began is lost. */
export const INTERRUPT_REPEAT_MS = 25

/** How long requests under way may take after SIGTERM, unless configured; below the 35 s of the systemd unit. */
export const SHUTDOWN_GRACE_MS = 25_000
/** Longest time after SIGTERM in which connections that wait already are accepted; under steady load others join them. */
export const SHUTDOWN_ACCEPT_MS_MAX = 250

/** Memory of DuckDB in the server and in an import, in MiB, unless configured; Node needs its own beside it. */
export const SERVER_QUERY_MEMORY_MIB = 1_024
export const IMPORT_MEMORY_MIB = 192
/** Of reports that a command asks for, at most, in MiB: it holds what it has imported besides. */
export const COMMAND_QUERY_MEMORY_MIB = 512
/** What DuckDB may spill to disk, in GiB. */
export const SPILL_GIB_MAX = 20

/** Sites whose prompts, competitors and files are kept in memory between reports: a megabyte for 2,000 prompts. */
export const SITES_REMEMBERED_MAX = 100

/** Finished reports kept in memory for repetition, in entries and in bytes of their rows as JSON. */
export const REPORT_CACHE_ENTRIES_MAX = 500
export const REPORT_CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/**
 * Files of one data set, site and month: more are merged, into files of these bytes where that many do. A month under way
 * and the dictionaries may have more, so that an import a day doesn't rewrite the month each day.
 */
export const COMPACTION_FILES_MAX = 4
export const COMPACTION_OPEN_FILES_MAX = 16
export const COMPACTION_FILE_BYTES = 128 * 1_024 * 1_024

/** How long after an import further merges begin; the command that imported waits for them. */
export const MAINTENANCE_BUDGET_MS = 20_000
/** How often a server looks for what may be deleted. */
export const MAINTENANCE_INTERVAL_MS = 60 * 60 * 1_000
/** Replaced files outlast their snapshot's grace by this, for reports that began just before its end. */
export const COLLECTION_MARGIN_MS = 5 * 60 * 1_000
/** Files deleted between two commits of the catalog. */
export const COLLECTION_BATCH_FILES = 500
/** Kept for the day when the disk is full, and the free space under which it is given back: what opening the catalog takes. */
export const BALLAST_BYTES = 4 * 1_024 * 1_024
export const BALLAST_FREE_BYTES_MIN = 16 * 1_024 * 1_024
/** Free space from which on it is laid: with it there, it isn't given back at once. */
export const BALLAST_LAY_BYTES_MIN = 32 * 1_024 * 1_024

/** Files of the lake hashed at once before their first use, and files remembered as intact: 200 bytes each. */
export const FILES_HASHED_AT_ONCE = 4
export const FILES_KNOWN_INTACT_MAX = 100_000

/** Pages of a site up to which a report counts those of each day in bits: 93 days of them take 12 MB a thread. */
export const PAGE_BITS_MAX = 1_000_000

/** Numbers up to here fit into 16 bits, which a report may group by in an array. */
export const SHORT_NUMBER_MAX = 65_535
/** Bits of the keys that reports group by in an array instead of a hash table: 16 and one for NULL. Two counts take 2 MiB a thread. */
export const ARRAY_KEY_BITS_MAX = 17

/** Longest cursor accepted, in characters. */
export const CURSOR_CHARACTERS_MAX = 1_024

/** Answers put through one step of an import, and the characters of their texts: what bounds an import's memory. */
export const IMPORT_CHUNK_ROWS_MAX = 8_192
export const IMPORT_CHUNK_CHARACTERS_MAX = 10_000_000

/**
 * Characters of a day's answers that are derived anew at once, as they weigh on DuckDB's memory: those of a text a fourth,
 * those of a URL, which stands in several columns, four times.
 */
export const REDERIVATION_SLICE_WEIGHT = 40_000_000

/** One record of an answer file, in bytes; a longer one is rejected and skipped without being held in memory. */
export const ANSWER_RECORD_BYTES_MAX = 16 * 1_024 * 1_024
/** Entries of each list of an answer: citations, mentions, search queries, consulted sources; longer ones are rejected. */
export const ANSWER_LIST_ENTRIES_MAX = 2_000
/** URLs and titles of an answer's citations together, in characters: DuckDB takes them in one piece. */
export const ANSWER_CITATION_CHARACTERS_MAX = 4_000_000
/** An answer's `id`, in characters: it is a key of the lake, not a place for text. */
export const ANSWER_ID_CHARACTERS_MAX = 256

/** Characters of a name or message that a terminal is shown; `--json` has all of them. */
export const SHOWN_CHARACTERS_MAX = 1_000
/** Imports, undos and deletions of a site that the dashboard lists; `answerlake import list` has all. */
export const IMPORTS_LISTED_MAX = 200
/** Rejections listed in an import's result; all of them go to `--rejects` (contract/imports 2.4). */
export const REJECTIONS_LISTED_MAX = 20

/** SQLite's own wait for another writer, in milliseconds: the server's blocks its event loop, so it is short. */
export const CATALOG_BUSY_TIMEOUT_MS = { server: 250, command: 30_000 } as const
/** How long a write of the catalog is repeated when SQLite refuses without waiting; the server repeats asynchronously instead. */
export const CATALOG_WAIT_MS = { server: 0, command: 30_000 } as const
/** Pause between two tries. */
export const CATALOG_BUSY_PAUSE_MS = 20
/** Asynchronous tries of a write in the server before it answers 503 `overloaded`. */
export const CATALOG_RETRIES_MAX = 2
/** The same where no try waits itself. */
export const CATALOG_FREE_RETRIES_MAX = 50
/** What SQLite keeps of its write-ahead log after a checkpoint. */
export const CATALOG_JOURNAL_BYTES_MAX = 64 * 1_024 * 1_024
/** Keys held in memory; the rest are looked up. */
export const KEY_CACHE_ENTRIES_MAX = 10_000
/** A key's last use is written at most this often (contract/api 3.4). */
export const KEY_LAST_USED_FLUSH_MS = 60_000

/** Defaults of an organization (contract/api 3.2 and 13, contract/imports 1.4). */
export const PROMPT_LIMIT_DEFAULT = 500
export const REQUESTS_PER_MINUTE_DEFAULT = 600
export const WRITES_PER_MINUTE_DEFAULT = 20

/** Lengths of what operators type, in characters; a prompt is a question, not a document. */
export const NAME_CHARACTERS_MAX = 200
export const PROMPT_CHARACTERS_MAX = 4_000
/** Further spellings of a brand, and domains of a competitor. */
export const SPELLINGS_MAX = 100

/** Bytes asked of a file at once, and of decompressed content handed on at once: large enough to hide the calls, small enough to stay flat. */
export const READ_CHUNK_BYTES = 512 * 1_024
export const INFLATED_CHUNK_BYTES = 512 * 1_024

/** How often the holder of a lease shows that it moves, and how often a waiter looks. */
export const LEASE_BEAT_MS = 1_000
export const LEASE_POLL_MS = 100
/** A holder that hasn't moved for this long is passed over: longer than any pause of a healthy import. */
export const LEASE_STUCK_MS = 10_000

/**
 * What a matcher remembers of user agents, referrers or paths: characters of them all (two bytes each at worst), what a
 * shorter text counts as, so that there are 100,000 at most, and characters of one above which it is computed each time.
 */
export const MEMO_CHARACTERS_MAX = 8_000_000
export const MEMO_ENTRY_CHARACTERS = 80
export const MEMO_KEY_CHARACTERS_MAX = 2_048

/** A site's own page-type rules and source kinds, and the characters of one pattern: each is tried on every distinct path. */
export const OWN_PAGE_TYPE_RULES_MAX = 1_000
export const OWN_SOURCE_KINDS_MAX = 10_000
export const OWN_PATTERN_CHARACTERS_MAX = 500

/** Body of a request (contract/api 2.2). */
export const BODY_BYTES_MAX = 1_024 * 1_024
/** Levels of a JSON body: a filter of the greatest depth needs 13; deeper ones would only exhaust the stack. */
export const JSON_DEPTH_MAX = 64
/** Values of a JSON body, by its commas: the largest filter has 50,000. Parsing and validating more keeps other requests waiting. */
export const JSON_VALUES_MAX = 100_000
/** Faults listed in one answer; a body can hold hundreds of thousands. */
export const FAULTS_LISTED_MAX = 100
/** A request's line and headers together, in bytes (contract/api 2.2). */
export const HEADER_BYTES_MAX = 16 * 1_024
/** Bodies of answers above this are compressed (contract/api 2.7). */
export const COMPRESSED_BYTES_MIN = 1_024
/** Keys whose rate is counted at once; those that have used nothing for a minute are forgotten first. */
export const RATE_LIMITED_KEYS_MAX = 10_000
/** How long a client may take: for the headers, for the whole request, and between requests (longer than a proxy's 60 s). */
export const HEADERS_TIMEOUT_MS = 10_000
export const REQUEST_TIMEOUT_MS = 30_000
export const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** A connection on which nothing moves this long is closed, a client that stopped reading too. Longer than any report takes. */
export const IDLE_SOCKET_TIMEOUT_MS = 120_000
/** How often Node looks for connections past their time. */
export const CONNECTIONS_CHECK_MS = 2_000
/** Connections at once, in all and from one address (a proxy's is one), unless configured; beyond them idle ones are closed. */
export const CONNECTIONS_MAX = 1_024
export const CONNECTIONS_PER_ADDRESS_MAX = 512
/** What of a body is read on after its early answer, and how long a connection that was refused stays open. */
export const REST_BYTES_MAX = 8 * 1_024 * 1_024
export const REST_MS_MAX = 1_000
/** Longest wait for the check behind `/readyz`. */
export const READINESS_TIMEOUT_MS = 1_000

/** Names that an import follows as candidates for discovered competitors; further new names are passed over. */
export const CANDIDATES_MAX = 50_000
/** Competitors that one import may make of its records' own `mentions`: more is a broken export, and every report loads them. */
export const DISCOVERED_MAX = 5_000
/** Longest such name, in characters and in words: longer labels are sentences. */
export const CANDIDATE_NAME_CHARACTERS_MAX = 60
export const CANDIDATE_NAME_WORDS_MAX = 5
/** Answers of different prompts that must list a name, unless `--discover-min` says otherwise. */
export const DISCOVER_MIN_DEFAULT = 5

/** Longest host name of the domain name system, in characters. */
export const HOST_CHARACTERS_MAX = 253

/** Free space under which the server calls its disk full in `/readyz`: what a commit of the catalog may need. */
export const DISK_FREE_BYTES_MIN = 64 * 1_024 * 1_024
/** Free space and open files under which `doctor` warns. */
export const DISK_FREE_BYTES_ADVISED = 2 * 1_024 * 1_024 * 1_024
export const OPEN_FILES_ADVISED = 4_096

/** Entries of one request (contract/api 13). */
export const PROMPT_CHANGES_MAX = 100
export const STATUS_CHANGE_IDS_MAX = 500
export const ANSWER_PROMPT_IDS_MAX = 100
/** `group_by` of the bots and referrals reports (contract/api 13). */
export const LOG_GROUP_BY_MAX = 3

/** Memory that counting distinct paths by sets of bits may take, by estimate; beyond it they are counted more slowly. */
export const LOG_BITSTRING_BYTES_MAX = 256 * 1_024 * 1_024
/** Sets of 64 paths, by estimate, up to which they are the faster way of counting; more don't stay in the processor's caches. */
export const LOG_WORD_GROUPS_MAX = 500_000

/** Largest file that an operator writes by hand and the program reads whole: prompts, rules, address ranges. */
export const OPERATOR_FILE_BYTES_MAX = 16 * 1_024 * 1_024

/** Days that a rule of the Action Center looks at, and of the windows before and after a card was done. */
export const CARD_WINDOW_DAYS = 28
/** Answers (hits of crawlers, where a rule reads the log) below which nothing is concluded. */
export const CARD_ANSWERS_MIN = 30
/** Open one-off cards of one rule at a time; further findings become cards when these are done or dismissed. */
export const CARDS_OPEN_PER_RULE_MAX = 5
/** Prompts that one card is measured on. */
export const CARD_PROMPTS_MAX = 500
/** Rows that a rule reads of a report at once, and of one report in all. */
export const CARD_REPORT_ROWS = 25_000
export const CARD_REPORT_ROWS_MAX = 100_000

/** `config.json`, and the manifest of a backup, which names every file of it. */
export const CONFIG_BYTES_MAX = 1_024 * 1_024
export const BACKUP_MANIFEST_BYTES_MAX = 256 * 1_024 * 1_024

/** Answers to a prompt on a day and target. */
export const SAMPLES_MAX = 10
/** Entries of `targets` in `scan.json`. */
export const TARGETS_MAX = 100

/** How often a server looks whether a scan is due. */
export const SCHEDULE_POLL_MS = 15_000

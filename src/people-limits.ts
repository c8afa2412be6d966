/** Every bound of users, their sessions and passwords, with its unit and reason. */

/** A session ends this long after its last request, and after its beginning at the latest. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1_000
export const SESSION_MS_MAX = 7 * 24 * 60 * 60 * 1_000
/** How long a typed password allows changes of keys and members. */
export const PASSWORD_CONFIRMED_MS = 10 * 60 * 1_000
/** Sessions of one user: one more ends the one that was used least lately. */
export const SESSIONS_PER_USER_MAX = 50
/** What is kept of a browser's `User-Agent`, in characters. */
export const CLIENT_CHARACTERS_MAX = 200
/** Sessions held in memory; the rest are looked up. */
export const SESSION_CACHE_ENTRIES_MAX = 10_000

/** How long a link by which somebody signs in once, or sets a password, can be used. */
export const LINK_MS = 24 * 60 * 60 * 1_000

/** Users of one organization that aren't revoked. */
export const USERS_PER_ORGANIZATION_MAX = 1_000
/** Longest mail address (RFC 5321, 4.5.3.1.3), in characters. */
export const MAIL_CHARACTERS_MAX = 254

/** Audit entries of one page. */
export const AUDIT_PAGE_MAX = 500

/** Characters of a password, as a reader counts them. */
export const PASSWORD_CHARACTERS_MIN = 12
export const PASSWORD_CHARACTERS_MAX = 1_000
/** Passwords that are hashed at once, 128 MiB and a processor core each, and that wait; one more is answered with 503. */
export const HASHES_RUNNING_MAX = 2
export const HASHES_WAITING_MAX = 32

/** Failed tries of an account or an address until it has to wait, its first wait, which each further one doubles, and the longest. */
export const SIGN_IN_TRIES = 5
export const SIGN_IN_WAIT_MS = 10_000
export const SIGN_IN_WAIT_MS_MAX = 15 * 60 * 1_000
/** How long failed tries count. */
export const SIGN_IN_TRIES_KEPT_MS = 60 * 60 * 1_000
/** Accounts and addresses whose tries are remembered; the one that tried least lately is forgotten. */
export const SIGN_IN_TRIES_REMEMBERED_MAX = 20_000

/** Requests and changes of one user by the dashboard, in a minute: a view asks ten questions, somebody who looks around many. */
export const UI_RATE = { requestsPerMinute: 1_200, writesPerMinute: 120 }
/** The same of one address with nobody signed in; tries of passwords have bounds of their own. */
export const UI_PUBLIC_RATE = { requestsPerMinute: 120, writesPerMinute: 60 }

/** How long an OpenID provider may take for each answer. */
export const PROVIDER_TIMEOUT_MS = 10_000
/** How long a browser may stay with the provider. */
export const PROVIDER_JOURNEY_SECONDS = 10 * 60
/** Longest path that a browser comes back to, in characters: a journey must fit into a cookie of 4,096 bytes. */
export const PAGE_PATH_CHARACTERS_MAX = 2_000
/** How long ago the provider may have seen a user sign in who confirms who they are. */
export const SIGN_IN_AGE_SECONDS_MAX = 60

/** Longest note about a card, in characters. */
export const NOTE_CHARACTERS_MAX = 2_000

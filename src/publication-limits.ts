/** Every bound of publications of the lake as Iceberg tables, with its unit and reason. */

/** How long a replaced publication can still be read, unless it is told otherwise. */
export const PUBLICATION_GRACE_MS = 24 * 60 * 60 * 1_000

/** Manifests of a data set: with more of them less is written anew, with fewer an engine opens less. */
export const MANIFESTS_MAX = 64
/** Manifests that are written at once: each waits for the disk, and takes memory of several times its bytes. */
export const MANIFESTS_WRITTEN_AT_ONCE = 4

/** Connections at once to the Iceberg catalog: engines open a few each. */
export const ICEBERG_CONNECTIONS_MAX = 256

/*
 * Fails the n-th of some calls on files below a directory, for programs that are started with this library in LD_PRELOAD:
 *
 *   FAIL_DIR    the directory
 *   FAIL_CALLS  `write`, `sync` or `name` (link, rename, mkdir)
 *   FAIL_AT     which of them, from 1; 0 fails none
 *   FAIL_ERRNO  the number of the error
 *   FAIL_COUNT  a file to which the number of such calls is written at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int fails(const char *kind, const char *path) {
  const char *wanted = getenv("FAIL_CALLS"), *directory = getenv("FAIL_DIR");
  if (!wanted || !directory || strcmp(wanted, kind) != 0) return 0;
  if (strncmp(path, directory, strlen(directory)) != 0) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != atoi(getenv("FAIL_AT"))) return 0;
  errno = atoi(getenv("FAIL_ERRNO"));
  return 1;
}

static int fails_on(const char *kind, int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(kind, path);
}

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
  return fails_on("write", file) ? -1 : ORIGINAL(write)(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return fails_on("write", file) ? -1 : ORIGINAL(pwrite)(file, bytes, count, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return fails_on("write", file) ? -1 : ORIGINAL(pwrite64)(file, bytes, count, at);
}
int fsync(int file) { return fails_on("sync", file) ? -1 : ORIGINAL(fsync)(file); }
int fdatasync(int file) { return fails_on("sync", file) ? -1 : ORIGINAL(fdatasync)(file); }
int link(const char *from, const char *to) { return fails("name", to) ? -1 : ORIGINAL(link)(from, to); }
int rename(const char *from, const char *to) { return fails("name", to) ? -1 : ORIGINAL(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return fails("name", path) ? -1 : ORIGINAL(mkdir)(path, mode); }

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("FAIL_COUNT");
  if (!path) return;
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%d", atomic_load(&calls));
  fclose(file);
}

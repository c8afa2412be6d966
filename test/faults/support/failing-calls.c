/*
 * Fails the n-th of some calls on files below a directory, for programs that are started with this library in LD_PRELOAD:
 *
 *   FAIL_DIR    the directory
 *   FAIL_CALLS  `write`, `sync`, `name` (link, rename, mkdir), `open` (of files that it may make) or `remove`
 *   FAIL_AT     which of them, from 1; 0 fails none
 *   FAIL_ERRNO  the number of the error
 *   FAIL_COUNT  a file to which the number of calls of each kind is written at the end, a line each
 *   FAIL_PATH   a file to which the path is written whose call failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static const char *const KINDS[] = {"write", "sync", "name", "open", "remove"};
#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)
static atomic_int calls[KIND_COUNT];

static void tell(const char *variable, const char *format, ...) {
  const char *path = getenv(variable);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  va_list values;
  va_start(values, format);
  vfprintf(file, format, values);
  va_end(values);
  fclose(file);
}

static int fails(const char *kind, const char *path) {
  const char *wanted = getenv("FAIL_CALLS"), *directory = getenv("FAIL_DIR");
  if (!wanted || !directory || strncmp(path, directory, strlen(directory)) != 0) return 0;
  size_t no = 0;
  while (strcmp(KINDS[no], kind) != 0) no++;
  int at = atomic_fetch_add(&calls[no], 1) + 1;
  if (strcmp(wanted, kind) != 0 || at != atoi(getenv("FAIL_AT"))) return 0;
  tell("FAIL_PATH", "%s", path);
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
int unlink(const char *path) { return fails("remove", path) ? -1 : ORIGINAL(unlink)(path); }
int rmdir(const char *path) { return fails("remove", path) ? -1 : ORIGINAL(rmdir)(path); }

#define OPEN(name)                                                            \
  int name(const char *path, int flags, ...) {                                \
    va_list values;                                                           \
    va_start(values, flags);                                                  \
    mode_t mode = flags & O_CREAT ? va_arg(values, mode_t) : 0;               \
    va_end(values);                                                           \
    if (flags & O_CREAT && fails("open", path)) return -1;                    \
    return ORIGINAL(name)(path, flags, mode);                                 \
  }
OPEN(open)
OPEN(open64)

__attribute__((destructor)) static void tell_calls(void) {
  char lines[256] = "";
  for (size_t no = 0; no < KIND_COUNT; no++) {
    size_t length = strlen(lines);
    snprintf(lines + length, sizeof lines - length, "%s %d\n", KINDS[no], atomic_load(&calls[no]));
  }
  tell("FAIL_COUNT", "%s", lines);
}

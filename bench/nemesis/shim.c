/* A library that is loaded before libc in the companion under test.
 *
 * It shifts the wall clock, records every write, rename and sync below one folder, and makes them
 * fail or kills the process between two of them, as a block of shared memory says (faulty_disk.py).
 *
 * Laws: what is recorded has happened, in this order. The monotonic clock stays as it is. Files
 * elsewhere, and SQLite's shared memory, which no power cut outlives, are left alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The same layout as CONTROL in faulty_disk.py. */
struct control {
    int64_t clock_offset; /* nanoseconds */
    int64_t dies_in;      /* killed before so many more changes; 0: not */
    uint32_t full;        /* nothing may grow */
    uint32_t failing;     /* so many changes of a thousand fail */
    uint64_t random;
    uint64_t changes, refused_full, refused_failing, clock_reads;
};

/* The same layout as HEADER in torn_disk.py. */
struct header {
    uint32_t kind, path_length;
    uint64_t file;
    int64_t offset;
    uint64_t length;
};

enum { CREATED = 1, WRITTEN, TRUNCATED, SYNCED, RENAMED, UNLINKED, FOLDER_SYNCED };

#define FILES 4096
static struct control *control;
static int log_file = -1;
static char folder[PATH_MAX];
static size_t folder_length;
static uint64_t files[FILES];  /* the inode behind a descriptor; 0: not watched */
static char is_folder[FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *block = getenv("NEMESIS_CONTROL"), *log = getenv("NEMESIS_LOG");
    const char *where = getenv("NEMESIS_FOLDER");
    if (!block || !log || !where || strlen(where) >= sizeof folder)
        return;
    int shared = syscall(SYS_openat, AT_FDCWD, block, O_RDWR | O_CLOEXEC);
    void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    syscall(SYS_close, shared);
    strcpy(folder, where);
    folder_length = strlen(folder);
    log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (mapped != MAP_FAILED && log_file >= 0)
        control = mapped;
}

static void record(uint32_t kind, const char *path, uint64_t file, int64_t offset,
                   const void *data, uint64_t length) {
    struct header head = {kind, path ? strlen(path) : 0, file, offset, length};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)path, head.path_length}, {(void *)data, data ? length : 0}};
    syscall(SYS_writev, log_file, parts, 3);
}

static int watched(const char *path) {
    size_t length = path ? strlen(path) : 0;
    return control && length >= folder_length && !strncmp(path, folder, folder_length) &&
           (path[folder_length] == '/' || !path[folder_length]) &&
           (length < 4 || strcmp(path + length - 4, "-shm"));
}

static const char *below(const char *path) {
    return path[folder_length] ? path + folder_length + 1 : "";
}

static uint64_t watched_file(int file) {
    return control && file >= 0 && file < FILES ? files[file] : 0;
}

static uint64_t draw(void) { /* xorshift64 */
    control->random ^= control->random << 13;
    control->random ^= control->random >> 7;
    return control->random ^= control->random << 17;
}

/* Count a change; die if it is time to; return the error with which it fails, or 0. */
static int fate(int grows) {
    control->changes++;
    if (control->dies_in > 0 && --control->dies_in == 0)
        syscall(SYS_kill, getpid(), SIGKILL);
    if (grows && control->full) {
        control->refused_full++;
        return ENOSPC;
    }
    if (control->failing && draw() % 1000 < control->failing) {
        control->refused_failing++;
        return EIO;
    }
    return 0;
}

/* Run `action` unless this change is to fail; then set `result` to -1. The lock is held. */
#define CHANGE(grows, action)          \
    int error = fate(grows);           \
    if (error)                         \
        result = -1;                   \
    else {                             \
        action;                        \
        error = errno;                 \
    }                                  \
    pthread_mutex_unlock(&lock);       \
    errno = error;                     \
    return result;

/* Clocks. */

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (!result && control && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t moment = now->tv_sec * 1000000000LL + now->tv_nsec + control->clock_offset;
        now->tv_sec = moment / 1000000000LL;
        now->tv_nsec = moment % 1000000000LL;
        control->clock_reads++;
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec moment;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &moment);
    now->tv_sec = moment.tv_sec;
    now->tv_usec = moment.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *kept) {
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (kept)
        *kept = moment.tv_sec;
    return moment.tv_sec;
}

/* Opening and closing. */

static int open_watched(const char *path, int flags, mode_t mode) {
    struct stat before, after;
    pthread_mutex_lock(&lock);
    int is_new = syscall(SYS_newfstatat, AT_FDCWD, path, &before, 0) != 0;
    int error = (flags & O_CREAT) && is_new ? fate(1) : 0;
    int file = error ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    error = error ? error : errno;
    if (file >= 0 && file < FILES && !syscall(SYS_fstat, file, &after)) {
        files[file] = after.st_ino;
        is_folder[file] = S_ISDIR(after.st_mode);
        if (is_new)
            record(CREATED, below(path), after.st_ino, 0, NULL, 0);
        else if (flags & O_TRUNC)
            record(TRUNCATED, NULL, after.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

static int open_any(int at, const char *path, int flags, mode_t mode) {
    int file = watched(path) ? open_watched(path, flags, mode)
                             : (int)syscall(SYS_openat, at, path, flags, mode);
    if (file >= 0 && file < FILES && !watched(path))
        files[file] = 0;
    return file;
}

#define MODE(flags) va_list more; va_start(more, flags); \
    mode_t mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; va_end(more)

int open(const char *path, int flags, ...) {
    MODE(flags);
    return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags);
    return open_any(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int at, const char *path, int flags, ...) {
    MODE(flags);
    return open_any(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE(flags);
    return open_any(at, path, flags | O_LARGEFILE, mode);
}

int close(int file) {
    if (watched_file(file))
        files[file] = 0;
    return syscall(SYS_close, file);
}

/* Writing. */

static ssize_t write_watched(int file, const void *data, size_t length, off_t offset, int moves) {
    struct stat now;
    ssize_t result;
    pthread_mutex_lock(&lock);
    syscall(SYS_fstat, file, &now);
    if (moves)
        offset = syscall(SYS_fcntl, file, F_GETFL) & O_APPEND
                     ? now.st_size : syscall(SYS_lseek, file, 0, SEEK_CUR);
    CHANGE(offset + (off_t)length > now.st_size, {
        result = moves ? syscall(SYS_write, file, data, length)
                       : syscall(SYS_pwrite64, file, data, length, offset);
        if (result > 0)
            record(WRITTEN, NULL, files[file], offset, data, result);
    })
}

ssize_t write(int file, const void *data, size_t length) {
    return watched_file(file) ? write_watched(file, data, length, 0, 1)
                              : syscall(SYS_write, file, data, length);
}
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return watched_file(file) ? write_watched(file, data, length, offset, 0)
                              : syscall(SYS_pwrite64, file, data, length, offset);
}
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    return pwrite(file, data, length, offset);
}

int ftruncate(int file, off_t length) {
    int result;
    if (!watched_file(file))
        return syscall(SYS_ftruncate, file, length);
    pthread_mutex_lock(&lock);
    CHANGE(0, {
        result = syscall(SYS_ftruncate, file, length);
        if (!result)
            record(TRUNCATED, NULL, files[file], length, NULL, 0);
    })
}
int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

static int sync_watched(int file, int call) {
    int result;
    pthread_mutex_lock(&lock);
    CHANGE(0, {
        result = syscall(call, file);
        if (!result)
            record(is_folder[file] ? FOLDER_SYNCED : SYNCED, NULL, files[file], 0, NULL, 0);
    })
}

int fsync(int file) {
    return watched_file(file) ? sync_watched(file, SYS_fsync) : syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    return watched_file(file) ? sync_watched(file, SYS_fdatasync) : syscall(SYS_fdatasync, file);
}

/* Names. */

int rename(const char *from, const char *to) {
    char both[2 * PATH_MAX];
    int result;
    if (!watched(from) || !watched(to))
        return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    snprintf(both, sizeof both, "%s\n%s", below(from), below(to));
    pthread_mutex_lock(&lock);
    CHANGE(0, {
        result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
        if (!result)
            record(RENAMED, both, 0, 0, NULL, 0);
    })
}

int unlink(const char *path) {
    int result;
    if (!watched(path))
        return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    CHANGE(0, {
        result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        if (!result)
            record(UNLINKED, below(path), 0, 0, NULL, 0);
    })
}

/* A disk that takes SYNC_MS milliseconds longer for each sync, for a process that preloads this. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file)
{
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int failed = sync(file);
    usleep(1000 * atoi(getenv("SYNC_MS")));
    return failed;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }

/*
 * Delays file operations of a broker. Loaded by LD_PRELOAD, it does nothing until its control file is written. Then it delays
 * operations of the requested kinds on paths that contain a given text, and logs the delays.
 *
 * BLIND_SHIM_DIR/PID.control is mapped memory. BLIND_SHIM_DIR/PID.log contains a line for each delayed operation: its kind, the
 * start and the end of the delay in microseconds since the epoch, and the path.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FORCE = 1, WRITE = 2, CREATE = 4, RENAME = 8, TRUNCATE = 16 };

struct control {
    volatile int kinds;        /* operations to delay; 0: none */
    volatile int millis;       /* delay of each operation */
    volatile int count;        /* number of operations left to delay */
    volatile char part[116];   /* text that the path must contain */
};

static struct control *control;
static int report = -1;

static long long micros(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

__attribute__((constructor)) static void load(void) {
    const char *directory = getenv("BLIND_SHIM_DIR");
    char text[4096] = {0};
    int file = open("/proc/self/cmdline", O_RDONLY);
    if (!directory || file < 0) {
        return;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    int broker = 0;
    for (char *word = text; word < text + length; word += strlen(word) + 1) {
        broker |= strstr(word, "BrokerMain") != NULL;
    }
    if (!broker) {
        return;
    }
    char path[512];
    snprintf(path, sizeof path, "%s/%d.log", directory, getpid());
    report = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
    snprintf(path, sizeof path, "%s/%d.control", directory, getpid());
    file = open(path, O_CREAT | O_RDWR, 0600);
    if (file < 0 || report < 0 || ftruncate(file, sizeof(struct control))) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    control = mapped == MAP_FAILED ? NULL : mapped;
}

static void delayed(int kind, const char *path) {
    if (!strstr(path, (const char *) control->part) || __sync_fetch_and_sub(&control->count, 1) <= 0) {
        return;
    }
    int millis = control->millis;
    struct timespec pause = {millis / 1000, millis % 1000 * 1000000L};
    long long from = micros();
    while (nanosleep(&pause, &pause)) {
    }
    dprintf(report, "%d %lld %lld %s\n", kind, from, micros(), path);
}

static int asked(int kind) { return control && (control->kinds & kind) && control->count > 0; }

static void on_file(int kind, int file) {
    if (!asked(kind)) {
        return;
    }
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        delayed(kind, path);
    }
}

static void on_path(int kind, const char *path) {
    if (path && asked(kind)) {
        delayed(kind, path);
    }
}

typedef int (*on_file_t)(int);
typedef ssize_t (*write_t)(int, const void *, size_t);
typedef ssize_t (*writev_t)(int, const struct iovec *, int);
typedef int (*truncate_t)(int, off64_t);
typedef int (*open_t)(const char *, int, ...);
typedef int (*rename_t)(const char *, const char *);

#define NEXT(type, name)                      \
    static type next;                         \
    if (!next) {                              \
        next = (type) dlsym(RTLD_NEXT, name); \
    }

int fsync(int file) {
    NEXT(on_file_t, "fsync")
    on_file(FORCE, file);
    return next(file);
}

int fdatasync(int file) {
    NEXT(on_file_t, "fdatasync")
    on_file(FORCE, file);
    return next(file);
}

ssize_t write(int file, const void *data, size_t size) {
    NEXT(write_t, "write")
    on_file(WRITE, file);
    return next(file, data, size);
}

ssize_t writev(int file, const struct iovec *data, int count) {
    NEXT(writev_t, "writev")
    on_file(WRITE, file);
    return next(file, data, count);
}

int ftruncate64(int file, off64_t size) {
    NEXT(truncate_t, "ftruncate64")
    on_file(TRUNCATE, file);
    return next(file, size);
}

int open64(const char *path, int flags, ...) {
    NEXT(open_t, "open64")
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (flags & O_CREAT) {
        on_path(CREATE, path);
    }
    return next(path, flags, mode);
}

int rename(const char *from, const char *to) {
    NEXT(rename_t, "rename")
    on_path(RENAME, to);
    return next(from, to);
}

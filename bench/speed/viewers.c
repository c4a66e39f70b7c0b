/* Viewers of a table as one small process: open their streams, send requests, note who heard when.

   viewers PORT PID JOB PAUSE_MS TIMEOUT_MS

   JOB holds parts, each a line `KIND COUNTED LENGTH` and LENGTH bytes: a `viewer` or a `stalled` one
   with the head of its request, or a whole `request` to be sent on a connection of its own.
   Printed are a line `opened VIEWERS BYTES COMPRESSED`, one line for each request, `COUNTED STATUS
   ANSWER FIRST LAST REACHED CPU BYTES` in nanoseconds since it was sent, and `client CPU`.

   Laws: between a request and the last news nothing is done but to read, to look at the clock after
   each read, and to store; chunks, compression and events are taken apart when it is quiet. A viewer
   has heard when the last event that ended before the next request had come whole, heartbeats and
   comments not counted. CPU is that of the process PID, without this one. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifndef NO_ZLIB
#include <zlib.h>
#endif

enum { HEAD, SIZE, DATA, DATA_END, WHOLE };  /* what comes next of an answer */
enum { AT_ONCE = 32, ROOM = 1 << 16 };

struct arrival { size_t end; int64_t at; };

struct viewer {
    int fd, part, left, opening_length, compressed, chunked;
    char *bytes, head[4096], opening[20], before;
    size_t length, room, arrivals, arrival_room, head_length;
    struct arrival *arrived;
    int64_t heard;
#ifndef NO_ZLIB
    z_stream inflating;
#endif
};

struct part { char kind[12]; int counted, length; char *bytes; };

static struct viewer *viewers;
static struct part *parts;
static int count, part_count, poll_fd, port, compressed_seen;
static int64_t last_arrival, pause_ns, timeout_ns;
static uint64_t received;

static void fail(const char *what) { perror(what); exit(2); }

static void *grow(void *old, size_t size) {
    void *made = realloc(old, size);
    if (!made) fail("memory");
    return made;
}

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) return 0;
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

/* Taking apart what came, when it is quiet. */

static void end_event(struct viewer *v, int64_t at) {
    int silent = v->opening[0] == ':' || !strncmp(v->opening, "event: heartbeat", 16);
    if (v->opening_length && !silent) v->heard = at;
    v->opening_length = 0;
    memset(v->opening, 0, sizeof v->opening);
}

static void take_text(struct viewer *v, const char *text, size_t length, int64_t at) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' && v->before == '\n') end_event(v, at);
        else if (v->opening_length < (int)sizeof v->opening - 1) v->opening[v->opening_length++] = text[i];
        v->before = text[i];
    }
}

static void take_body(struct viewer *v, char *body, size_t length, int64_t at) {
    if (!v->compressed) { take_text(v, body, length, at); return; }
#ifndef NO_ZLIB
    static char text[ROOM];
    v->inflating.next_in = (unsigned char *)body;
    v->inflating.avail_in = length;
    do {
        v->inflating.next_out = (unsigned char *)text;
        v->inflating.avail_out = sizeof text;
        int said = inflate(&v->inflating, Z_SYNC_FLUSH);
        if (said != Z_OK && said != Z_BUF_ERROR && said != Z_STREAM_END) {
            fprintf(stderr, "A stream cannot be inflated.\n");
            exit(2);
        }
        take_text(v, text, sizeof text - v->inflating.avail_out, at);
    } while (v->inflating.avail_out == 0);
#endif
}

static void end_head(struct viewer *v) {
    v->head[v->head_length] = 0;
    if (strncmp(v->head + 9, "200", 3)) {
        fprintf(stderr, "A viewer was not let in: %s\n", v->head);
        exit(2);
    }
    v->chunked = strcasestr(v->head, "\ntransfer-encoding: chunked") != NULL;
    v->compressed = strcasestr(v->head, "\ncontent-encoding: ") != NULL;
    v->part = v->chunked ? SIZE : WHOLE;
    v->left = 0;
    compressed_seen |= v->compressed;
#ifndef NO_ZLIB
    if (v->compressed && inflateInit2(&v->inflating, 15 + 32) != Z_OK) fail("inflate");
#else
    if (v->compressed) { fprintf(stderr, "Built without zlib: ask for identity.\n"); exit(2); }
#endif
}

static void take_byte(struct viewer *v, char byte) {
    if (v->part == HEAD) {
        if (v->head_length > sizeof v->head - 2) { fprintf(stderr, "A head is too long.\n"); exit(2); }
        v->head[v->head_length++] = byte;
        if (v->head_length >= 4 && !memcmp(v->head + v->head_length - 4, "\r\n\r\n", 4)) end_head(v);
    } else if (v->part == SIZE) {
        const char *digit = strchr("0123456789abcdef", byte | 32);
        if (byte == '\n') v->part = v->left ? DATA : DATA_END;
        else if (byte != '\r' && digit) v->left = v->left * 16 + (digit - "0123456789abcdef");
    } else if (byte == '\n') {  /* behind the data of a chunk */
        v->part = SIZE;
        v->left = 0;
    }
}

static void take_piece(struct viewer *v, char *piece, size_t length, int64_t at) {
    while (length) {
        size_t taken = 1;
        if (v->part == DATA || v->part == WHOLE) {
            taken = v->part == DATA && (size_t)v->left < length ? (size_t)v->left : length;
            take_body(v, piece, taken, at);
            v->left -= v->part == DATA ? (int)taken : 0;
            if (v->part == DATA && !v->left) v->part = DATA_END;
        } else take_byte(v, *piece);
        piece += taken;
        length -= taken;
    }
}

static void take_apart(struct viewer *v) {
    size_t from = 0;
    for (size_t i = 0; i < v->arrivals; i++) {
        take_piece(v, v->bytes + from, v->arrived[i].end - from, v->arrived[i].at);
        from = v->arrived[i].end;
    }
    v->length = v->arrivals = 0;
}

static int heard_since(int64_t begun, int from, int open) {
    int heard = 0;
    for (int i = from; i < open; i++) {
        take_apart(&viewers[i]);
        heard += viewers[i].heard > begun;
    }
    return heard;
}

/* Reading. */

static void read_viewer(struct viewer *v) {
    if (v->room < v->length + ROOM) v->bytes = grow(v->bytes, v->room = 2 * v->length + ROOM);
    if (v->arrivals == v->arrival_room)
        v->arrived = grow(v->arrived, (v->arrival_room = 2 * v->arrival_room + 16) * sizeof *v->arrived);
    ssize_t got = recv(v->fd, v->bytes + v->length, ROOM, MSG_DONTWAIT);
    int64_t at = now_ns();
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        epoll_ctl(poll_fd, EPOLL_CTL_DEL, v->fd, NULL);
        return;
    }
    v->length += got;
    v->arrived[v->arrivals++] = (struct arrival){v->length, at};
    received += got;
    last_arrival = at;
}

/* One connection for the requests. */

static struct { int fd, status; int64_t first; size_t length; char bytes[ROOM]; } asking;

static int is_answered(void) {
    asking.bytes[asking.length] = 0;
    char *body = strstr(asking.bytes, "\r\n\r\n");
    if (!body) return 0;
    char *told = strcasestr(asking.bytes, "\ncontent-length: ");
    asking.status = atoi(asking.bytes + 9);
    size_t length = told && told < body ? strtoul(told + 17, NULL, 10) : 0;
    return asking.length >= (size_t)(body + 4 - asking.bytes) + length;
}

static void read_answer(void) {
    ssize_t got = recv(asking.fd, asking.bytes + asking.length, ROOM - 1 - asking.length, MSG_DONTWAIT);
    int64_t at = now_ns();
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) { fprintf(stderr, "The connection of the requests was closed.\n"); exit(2); }
    if (!asking.length) asking.first = at;
    asking.length += got;
}

/* Read what comes until `wanted` of the viewers `from` to `open` heard, and a request is answered. */
static int wait_for(int64_t begun, int from, int open, int wanted, int is_request) {
    struct epoll_event ready[256];
    last_arrival = begun;
    for (int heard = -1;;) {
        int64_t now = now_ns(), until = heard < 0 ? last_arrival + pause_ns : begun + timeout_ns;
        if (now < until) {
            int found = epoll_wait(poll_fd, ready, 256, (int)((until - now) / 1000000 + 1));
            for (int i = 0; i < found; i++) {
                if (ready[i].data.u32 == UINT32_MAX) read_answer();
                else read_viewer(&viewers[ready[i].data.u32]);
            }
            if (found > 0) heard = -1;
            continue;
        }
        heard = heard_since(begun, from, open);
        int answered = !is_request || is_answered(), refused = is_request && asking.status >= 300;
        if (now >= begun + timeout_ns || (answered && (heard >= wanted || refused))) return heard;
    }
}

static int connect_to_table(int is_stalled) {
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), small = 4096;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (is_stalled) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (fd < 0 || connect(fd, (struct sockaddr *)&where, sizeof where)) fail("connect");
    return fd;
}

static void send_all(int fd, const char *bytes, int length) {
    for (int sent = 0; sent < length;) {
        ssize_t put = send(fd, bytes + sent, length - sent, MSG_NOSIGNAL);
        if (put < 0) fail("send");
        sent += put;
    }
}

static void listen_to(int fd, uint32_t who) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = who};
    if (epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event)) fail("epoll");
}

static void open_viewers(void) {
    int open = 0, wanted = 0;
    for (int i = 0; i < part_count; i++) wanted += !strcmp(parts[i].kind, "viewer");
    viewers = calloc(wanted + 1, sizeof *viewers);
    int64_t begun = now_ns();
    for (int i = 0, from = 0; i < part_count; i++) {
        if (!strcmp(parts[i].kind, "request")) continue;
        int is_stalled = !strcmp(parts[i].kind, "stalled"), fd = connect_to_table(is_stalled);
        send_all(fd, parts[i].bytes, parts[i].length);
        if (is_stalled) continue;
        viewers[open].fd = fd;
        listen_to(fd, open++);
        if (open % AT_ONCE && open != wanted) continue;
        if (wait_for(begun, from, open, open - from, 0) < open - from) {
            fprintf(stderr, "Not every viewer was sent a first state.\n");
            exit(2);
        }
        from = open;
        begun = now_ns();
    }
    count = open;
    printf("opened %d %llu %d\n", count, (unsigned long long)received, compressed_seen);
}

static void send_request(struct part *request, clockid_t server) {
    int64_t used = read_clock(server), first = INT64_MAX, last = 0;
    received = asking.length = asking.first = asking.status = 0;
    int64_t begun = now_ns();
    send_all(asking.fd, request->bytes, request->length);
    int reached = wait_for(begun, 0, count, request->counted ? count : 0, 1);
    for (int i = 0; i < count; i++) {
        if (viewers[i].heard <= begun) continue;
        if (viewers[i].heard < first) first = viewers[i].heard;
        if (viewers[i].heard > last) last = viewers[i].heard;
    }
    printf("%d %d %lld %lld %lld %d %lld %llu\n", request->counted, asking.status,
           (long long)(asking.first ? asking.first - begun : -1),
           (long long)(reached ? first - begun : -1), (long long)(reached ? last - begun : -1),
           reached, (long long)(read_clock(server) - used), (unsigned long long)received);
    if (asking.status < 200 || asking.status > 299) {
        fprintf(stderr, "A request was not granted: %s\n", asking.length ? asking.bytes : "no answer");
        exit(2);
    }
}

static void read_job(const char *path) {
    FILE *file = fopen(path, "rb");
    struct part part;
    if (!file) fail(path);
    while (fscanf(file, "%11s %d %d", part.kind, &part.counted, &part.length) == 3 && getc(file) == '\n') {
        part.bytes = grow(NULL, part.length + 1);
        if (fread(part.bytes, 1, part.length, file) != (size_t)part.length) fail(path);
        parts = grow(parts, (part_count + 1) * sizeof *parts);
        parts[part_count++] = part;
    }
    fclose(file);
}

int main(int given, char **words) {
    clockid_t server = CLOCK_MONOTONIC;
    struct rlimit files;
    if (given != 6) return 2;
    port = atoi(words[1]);
    pause_ns = atoi(words[4]) * 1000000LL;
    timeout_ns = atoi(words[5]) * 1000000LL;
    if (clock_getcpuclockid(atoi(words[2]), &server)) { fprintf(stderr, "No such process.\n"); return 2; }
    if (!getrlimit(RLIMIT_NOFILE, &files)) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    read_job(words[3]);
    poll_fd = epoll_create1(0);
    open_viewers();
    asking.fd = connect_to_table(0);
    listen_to(asking.fd, UINT32_MAX);
    int64_t own = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < part_count; i++)
        if (!strcmp(parts[i].kind, "request")) { send_request(&parts[i], server); fflush(stdout); }
    printf("client %lld\n", (long long)(read_clock(CLOCK_PROCESS_CPUTIME_ID) - own));
    return 0;
}

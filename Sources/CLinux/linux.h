// SPDX-License-Identifier: Apache-2.0
#ifndef RAWAUDIO_CLINUX_H
#define RAWAUDIO_CLINUX_H

/* Without this the C library's own types would belong to this module as well as to Glibc. */
#pragma clang module import SwiftGlibc

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* What this library needs of Linux and Swift does not offer. Most of it is hidden without _GNU_SOURCE,
 * which Swift's own C modules do not define. */

/* tee(2) that never waits. */
static inline ssize_t rawaudio_tee(int from, int to, size_t byte_count) {
  const unsigned int splice_f_nonblock = 2; /* linux/splice.h */
  return syscall(SYS_tee, from, to, byte_count, splice_f_nonblock);
}

/* pwritev2(2) with RWF_NOWAIT, at the descriptor's position: fails with EAGAIN where write(2) would wait, and with
 * EOPNOTSUPP for a file that knows no such writes: a named pipe, or any pipe before Linux 6.4. */
static inline ssize_t rawaudio_write_now(int descriptor, const void *bytes, size_t byte_count) {
  const int rwf_nowait = 8; /* linux/fs.h */
  struct iovec part = {(void *)bytes, byte_count};
  return syscall(SYS_pwritev2, descriptor, &part, 1UL, -1L, -1L, rwf_nowait);
}

/* open(2) with O_TMPFILE: a file without a name in `directory`. */
static inline int rawaudio_open_unnamed(const char *directory) {
  return open(directory, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* open(2): a descriptor that only stands for a file, whatever its permissions are. */
static const int rawaudio_path_only = __O_PATH;

/* memfd_create(2): a file in memory. */
static inline int rawaudio_open_in_memory(void) {
  const unsigned int mfd_cloexec = 1; /* linux/memfd.h */
  return (int)syscall(SYS_memfd_create, "rawaudio", mfd_cloexec);
}

/* memfd_create(2), F_ADD_SEALS of fcntl(2): a file in memory with `byte_count` zeros, which nobody can make larger. */
static inline int rawaudio_open_in_bounded_memory(off_t byte_count) {
  const unsigned int mfd_cloexec = 1, mfd_allow_sealing = 2; /* linux/memfd.h */
  const int f_add_seals = 1033, f_seal_grow = 4;             /* linux/fcntl.h */
  int file = (int)syscall(SYS_memfd_create, "rawaudio", mfd_cloexec | mfd_allow_sealing);
  if (file < 0) return -1;
  if (ftruncate(file, byte_count) == 0 && fcntl(file, f_add_seals, f_seal_grow) == 0) return file;
  int code = errno;
  close(file);
  errno = code;
  return -1;
}

/* renameat2(2) with RENAME_NOREPLACE: fails with EEXIST where there is something of the new name. */
static inline int rawaudio_rename_to_new(const char *from, const char *to) {
  const unsigned int rename_noreplace = 1; /* linux/fs.h */
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, rename_noreplace);
}

/* flock(2): whether nobody else holds the lock of the file. A file system without locks says yes. */
static inline int rawaudio_lock(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Whether another open file has that lock. */
static inline int rawaudio_is_locked(int descriptor) {
  return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Whether the system's clock follows another one (adjtimex(2)); a clock that somebody sets does not, until it does
   again. */
static inline int rawaudio_clock_is_synchronized(void) {
  struct timex state = {.modes = 0};
  int code = adjtimex(&state);
  return code >= 0 && code != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

/* The access control list of a file (acl(5), xattr(7)), as the kernel stores it. */
static inline ssize_t rawaudio_get_access_list(const char *path, void *list, size_t byte_count) {
  return getxattr(path, "system.posix_acl_access", list, byte_count);
}

static inline int rawaudio_set_access_list(int descriptor, const void *list, size_t byte_count) {
  return fsetxattr(descriptor, "system.posix_acl_access", list, byte_count, 0);
}

static inline void rawaudio_remove_access_list(int descriptor) {
  fremovexattr(descriptor, "system.posix_acl_access");
}

/* pipe2(2) with O_CLOEXEC: no program that another thread starts at this moment inherits the ends. */
static inline int rawaudio_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* fcntl(2) with F_SETPIPE_SZ: the capacity of a pipe, in bytes. */
static inline int rawaudio_set_pipe_capacity(int end, int byte_count) {
  const int f_setpipe_sz = 1031; /* linux/fcntl.h */
  return fcntl(end, f_setpipe_sz, byte_count);
}

/* glibc 2.34: the started program gets no descriptor from `first` on. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

static inline int rawaudio_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* glibc 2.30: sem_wait(3) until a time of CLOCK_MONOTONIC. */
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

static inline int rawaudio_wait(sem_t *semaphore, const struct timespec *deadline) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, deadline);
}

/* prctl(2) with PR_SET_NAME: names the calling thread, by the first 15 bytes. */
static inline void rawaudio_name_thread(const char *name) {
  const int pr_set_name = 15; /* linux/prctl.h */
  syscall(SYS_prctl, pr_set_name, name, 0, 0, 0);
}

/* sched_getaffinity(2): the number of processors that the calling thread may run on, or 0. */
static inline int rawaudio_processor_count(void) {
  unsigned long set[128];
  long byte_count = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
  int count = 0;
  for (long word = 0; word < byte_count / (long)sizeof set[0]; word++)
    count += __builtin_popcountl(set[word]);
  return count;
}

/* Both streams of the C library lead nowhere from now on. */
static inline int rawaudio_silence_c_streams(void) {
  FILE *nowhere = fopen("/dev/null", "we");
  if (!nowhere) return -1;
  stdout = nowhere;
  stderr = nowhere;
  return 0;
}

/* unix(7): a stream socket that programs started meanwhile do not inherit and whose calls never wait. */
static inline int rawaudio_unix_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* The longest path of such a socket, in bytes. */
static const int rawaudio_longest_socket_path = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

/* bind(2) and connect(2) of a Unix socket; the path must not be too long. */
static inline struct sockaddr_un rawaudio_unix_address(const char *path) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return address;
}

static inline int rawaudio_bind(int descriptor, const char *path) {
  const struct sockaddr_un address = rawaudio_unix_address(path);
  return bind(descriptor, (const struct sockaddr *)&address, sizeof address);
}

static inline int rawaudio_connect(int descriptor, const char *path) {
  const struct sockaddr_un address = rawaudio_unix_address(path);
  return connect(descriptor, (const struct sockaddr *)&address, sizeof address);
}

/* accept4(2): the next connection, which never waits either. */
static inline int rawaudio_accept(int descriptor) {
  return (int)syscall(SYS_accept4, descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* socket(7), SO_PEERCRED: the user at the other end when it connected, or -1. */
static inline uid_t rawaudio_peer_user(int descriptor) {
  struct { pid_t process; uid_t user; gid_t group; } peer = {.user = (uid_t)-1};
  socklen_t size = sizeof peer;
  getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return peer.user;
}

/* A datagram beside its bytes. */
struct rawaudio_datagram {
  struct sockaddr_storage sender;
  /* Of the day, by the kernel (SO_TIMESTAMPNS in socket(7)); 0 where it has none. */
  struct timespec arrival;
  /* Datagrams that the socket has dropped so far, in want of room (SO_RXQ_OVFL); the kernel tells no 0. */
  unsigned dropped;
};

/* socket(7): datagrams come with their time and with the number of those that were dropped. */
static inline void rawaudio_ask_for_arrivals(int descriptor) {
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
  setsockopt(descriptor, SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes);
}

/* recvmsg(2): the length of the next datagram, or -1. */
static inline ssize_t rawaudio_receive(int descriptor, void *bytes, size_t byte_count,
                                       struct rawaudio_datagram *datagram) {
  char control[CMSG_SPACE(sizeof datagram->arrival) + CMSG_SPACE(sizeof datagram->dropped)]
      __attribute__((aligned(__alignof__(struct cmsghdr))));
  struct iovec room = {bytes, byte_count};
  struct msghdr message = {.msg_name = &datagram->sender, .msg_namelen = sizeof datagram->sender,
                           .msg_iov = &room, .msg_iovlen = 1,
                           .msg_control = control, .msg_controllen = sizeof control};
  memset(datagram, 0, sizeof *datagram);
  const ssize_t count = recvmsg(descriptor, &message, 0);
  if (count < 0) return count;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET) continue;
    if (part->cmsg_type == SO_TIMESTAMPNS)
      memcpy(&datagram->arrival, CMSG_DATA(part), sizeof datagram->arrival);
    else if (part->cmsg_type == SO_RXQ_OVFL)
      memcpy(&datagram->dropped, CMSG_DATA(part), sizeof datagram->dropped);
  }
  return count;
}

/* ip(7), ipv6(7): a socket receives only from the groups and interfaces that it has joined itself. */
static inline void rawaudio_leave_groups_of_others(int descriptor, int is_version_6) {
  const int no = 0, ipv6_multicast_all = 29, ip_multicast_all = 49; /* linux/in6.h, linux/in.h */
  if (is_version_6)
    setsockopt(descriptor, IPPROTO_IPV6, ipv6_multicast_all, &no, sizeof no);
  else
    setsockopt(descriptor, IPPROTO_IP, ip_multicast_all, &no, sizeof no);
}

/* eventfd(2): a number that can be waited for. */
static inline int rawaudio_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int rawaudio_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* epoll_ctl(2): waits for `events` of `descriptor` from now on; for none where that is 0. */
static inline int rawaudio_epoll_set(int epoll, int operation, int descriptor, unsigned events) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.fd = descriptor;
  return epoll_ctl(epoll, operation, descriptor, &event);
}

/* epoll_wait(2): the descriptors with events, up to 256; their number, or -1. */
static inline int rawaudio_epoll_wait(int epoll, int *descriptors, int milliseconds) {
  struct epoll_event events[256];
  const int count = epoll_wait(epoll, events, 256, milliseconds);
  for (int index = 0; index < count; index++) descriptors[index] = events[index].data.fd;
  return count;
}

/* Whether the compiler may use registers of 32 bytes: Swift cannot ask what it compiles for. */
#ifdef __AVX__
static const int rawaudio_has_wide_registers = 1;
#else
static const int rawaudio_has_wide_registers = 0;
#endif

/* The same for 32 registers of 64 bytes. */
#ifdef __AVX512F__
static const int rawaudio_has_many_registers = 1;
#else
static const int rawaudio_has_many_registers = 0;
#endif

/* The level of the processor in the x86-64 psABI; 1 if it has none, and for level 2. */
static inline int rawaudio_processor_level(void) {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v4") ? 4 : __builtin_cpu_supports("x86-64-v3") ? 3 : 1;
#else
  return 1;
#endif
}

/* prctl(2) with PR_SET_PDEATHSIG: the calling process is killed when the thread that started it ends. */
static inline void rawaudio_end_with_parent(void) {
  const int pr_set_pdeathsig = 1; /* linux/prctl.h */
  syscall(SYS_prctl, pr_set_pdeathsig, 9, 0, 0, 0);
}

/* setrlimit(2): no memory beyond so many bytes for the process itself, and no picture of its memory after a crash. */
static inline void rawaudio_limit_memory(unsigned long bytes) {
  const struct rlimit none = {0, 0}, limit = {bytes, bytes};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_DATA, &limit);
}

#endif

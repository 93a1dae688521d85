// SPDX-License-Identifier: Apache-2.0
/// A preloaded library that runs a program in virtual time, out of one seed.
///
/// One thread at a time holds the baton and runs; all others wait for it. Every call that asks for the time,
/// waits, wakes somebody or touches a file is a place where the baton may go to another thread, which a
/// seeded generator chooses. Where all threads wait, the clock jumps to the earliest deadline. So a seed
/// gives the same run, call for call, as fast as the processor goes. README.md lists what can be set.
///
/// The program is the one that is shipped: the dynamic linker lets the functions of this library stand in for
/// those of the C library and of libasound.
#ifndef SIMULATION_H
#define SIMULATION_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

// MARK: The seed (random.c)

/// The next number of the run's one generator.
uint64_t random_next(void);
/// A number below `limit`; 0 where that is 0.
uint64_t random_below(uint64_t limit);
/// Whether something happens that does so `count` times in a million.
bool random_chance(uint64_t count);
void random_seed(uint64_t seed);

// MARK: What is set (script.c)

enum fault {
  // Of threads and clocks.
  FAULT_LATE,    // the thread NAME does not run for so many milliseconds
  FAULT_STEP,    // the clock of the day jumps by so many milliseconds
  FAULT_SIGNAL,  // the main thread gets this signal
  // Of the disk, for so many milliseconds.
  FAULT_FULL,   // nothing makes a file longer
  FAULT_EIO,    // writing and forcing onto the disk fail
  FAULT_SHORT,  // a write takes a part only
  FAULT_EINTR,  // half of all calls are interrupted
  FAULT_SLOW,   // every call takes up to so many milliseconds: SLOW:MS:MOST
  FAULT_STUCK,  // a call lasts until the fault is over
  // Of the device, for so many milliseconds.
  FAULT_SHORT_READ,   // a read gives a part of what is there
  FAULT_READ_EINTR,   // half of all reads are interrupted
  FAULT_READ_EAGAIN,  // half of all reads give nothing
  FAULT_STAMP,        // the device's time stamps are 0
  // Ends of the run.
  FAULT_KILL,   // the process is killed; KILL:torn in the middle of a write
  FAULT_POWER,  // what was not forced onto the disk may be lost
  // Another process.
  FAULT_OTHER,  // SIMULATION_OTHER runs, and ends
  FAULT_COUNT
};

/// One fault, at a time, at a write or at a change of a name. Those that last are over at `end`.
struct event {
  int64_t time;       // virtual nanoseconds; INT64_MAX for one at a write
  uint64_t operation; // the number of the write, from 1; 0 for one at something else
  uint64_t renaming;  // the number of the change of a name, from 1; 0 for one at something else
  enum fault fault;
  int64_t amount;     // milliseconds as nanoseconds, or a signal
  int64_t most;       // of a slow disk, in nanoseconds
  char text[24];      // a thread's name, or how a kill comes
};

struct script {
  struct event *events;
  size_t count;
  /// Of those at a time, how many have happened.
  size_t next;
};

struct setting {
  uint64_t seed;
  const char *folder;     // files below it have a disk that can fail
  const char *report;     // written at the end
  const char *trace;      // every call, if set
  uint64_t switching;     // how often in a million the baton goes on where it need not
  uint64_t preemption;    // how often in a million a thread loses the processor for a while
  int64_t latency;        // nanoseconds that a thread wakes late at most, usually
  int64_t limit;          // virtual nanoseconds after which the run counts as hung
  bool has_names;         // whether names change on the disk that can fail, and absolute paths lead to it
  bool is_synchronized;   // whether the system says that the clock of the day follows another one
  const char *other;      // a command of the shell that FAULT_OTHER runs
};

extern struct setting setting;
extern struct script script;
void script_read(void);
extern const char *const fault_names[FAULT_COUNT];
/// How often each fault has happened.
extern uint64_t fault_counts[FAULT_COUNT];

/// Whether the fault goes on at the moment.
bool fault_lasts(enum fault fault);
/// Until when it does.
int64_t fault_end(enum fault fault);
int64_t fault_most(enum fault fault);
void fault_begin(const struct event *event);

// MARK: Threads and time (baton.c)

enum { MOST_THREADS = 64 };

/// How a wait ended.
enum waking { WAKING_OVER, WAKING_DEADLINE, WAKING_SIGNAL };

/// Whether the process is simulated by now, and the calling thread one of its threads.
bool is_simulated(void);
int64_t clock_monotonic(void);
int64_t clock_of_day(void);
void clock_set_day(int64_t nanoseconds);
void clock_advance(int64_t nanoseconds);
/// A place where the baton may go to another thread.
void baton_offer(void);
/// Waits until `is_over(argument)`, which is asked whenever the baton goes on, or for a deadline.
///
/// - Parameters:
///   - deadline: INT64_MAX = none.
///   - is_of_day: whether the deadline is one of the clock of the day, which may jump.
///   - is_interruptible: whether a signal ends the wait.
enum waking baton_wait(bool (*is_over)(const void *), const void *argument, int64_t deadline,
                       bool is_of_day, bool is_interruptible);
/// The thread sleeps; false where a signal ended that.
bool baton_sleep(int64_t nanoseconds, bool is_interruptible);
void baton_name_thread(const char *name);
const char *baton_thread_name(void);
/// To be delivered to the main thread.
void baton_signal(int number);
void simulation_set_up(void);

// MARK: What happened (trace.c)

/// Goes into the hash of the run, and into the trace.
__attribute__((format(printf, 2, 3))) void trace(uint64_t number, const char *format, ...);
void trace_bytes(const void *bytes, size_t count);
/// The run is over: writes the report.
void report_write(const char *ending, const char *detail);
/// The program was given `count` sample frames, of which the first is the device's `number`.
void report_read(const void *handle, uint64_t number, uint64_t count, unsigned bits);
extern uint64_t operation_count;
extern uint64_t switch_count;
/// Ends the process at once, as SIGKILL does.
_Noreturn void end_killed(const char *ending);
_Noreturn void end_hung(const char *ending, const char *detail);

// MARK: The disk (disk.c)

/// 0, or the errno that a call on a file fails with.
int fault_of_call(void);
/// A path on that disk as it is below the working directory; NULL where it leads elsewhere.
const char *path_on_disk(const char *path);
/// Gives a file another name; `flags` as of renameat2(2). 0, or -1 and errno.
int change_name(const char *from, const char *to, unsigned flags);
/// Runs the command of another process, in real time, and waits for its end.
void run_other(void);
/// Takes back what a power cut takes.
void disk_cut_power(void);
/// Up to where the file of that number was on the disk before a power cut; -1 where all of it was.
///
/// Returns false where there is no such file.
bool disk_forced(int index, const char **path, int64_t *size);

// MARK: The kernel itself

static inline long kernel(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#else
#error "this processor's system calls are not known here"
#endif
}

/// The same, with errno.
long kernel_errno(long number, long a, long b, long c, long d, long e, long f);

#endif

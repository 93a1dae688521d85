// SPDX-License-Identifier: Apache-2.0
// Runs the commands on standard input one after another and prints what they cost together:
//
//     wall user system peak
//
// in microseconds and KiB. A line is a command, its words separated by tabs. The commands' own output
// goes nowhere, their errors to standard error. Stops with exit 1 at the first that fails.
//
// A child's peak memory begins with that of the process that started it (the kernel keeps the old
// program's peak across exec). So this is a small program, and not part of the one that reports.

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { most_words = 1024 };

static long microseconds(struct timeval time) { return time.tv_sec * 1000000L + time.tv_usec; }

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void split(char *line, char **words) {
  int count = 0;
  for (char *word = strtok(line, "\t\n"); word && count < most_words; word = strtok(NULL, "\t\n"))
    words[count++] = word;
  words[count] = NULL;
}

int main(void) {
  char *line = NULL, *words[most_words + 1];
  size_t capacity = 0;
  long wall = 0, user = 0, system = 0, peak = 0;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);

  extern char **environ;
  while (getline(&line, &capacity, stdin) > 0) {
    split(line, words);
    if (!words[0]) continue;
    pid_t child;
    int status;
    struct rusage usage;
    long start = now();
    int failure = posix_spawn(&child, words[0], &files, NULL, words, environ);
    if (failure) {
      fprintf(stderr, "cannot run '%s': %s\n", words[0], strerror(failure));
      return 1;
    }
    while (wait4(child, &status, 0, &usage) < 0)
      if (errno != EINTR) return 1;
    wall += now() - start;
    user += microseconds(usage.ru_utime);
    system += microseconds(usage.ru_stime);
    if (usage.ru_maxrss > peak) peak = usage.ru_maxrss;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      fprintf(stderr, "'%s' %s %d\n", words[0],
              WIFEXITED(status) ? "ended with exit status" : "was ended by signal",
              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
      return 1;
    }
  }
  printf("%ld %ld %ld %ld\n", wall, user, system, peak);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
/* A library that is loaded when one of its functions is called for the first time, not when the program starts.
 *
 * Who includes this defines _GNU_SOURCE; SONAME, the library's name; PACKAGE, the package that brings it; VARIABLE, if
 * an environment variable may name its file; and FUNCTIONS(F), the functions that the program calls. It becomes a static
 * library that stands in for the shared one when the program is linked: each function jumps to where its slot points.
 * That is a piece of code that loads the library and fills all slots, and from then on the function itself. */

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOT(name) slot_of_##name
#define DECLARE(name) __attribute__((visibility("hidden"))) extern void *SLOT(name);
FUNCTIONS(DECLARE)

static const struct {
  const char *name;
  void **slot;
} functions[] = {
#define ENTRY(name) {#name, &SLOT(name)},
    FUNCTIONS(ENTRY)
};

/* The file that the environment variable VARIABLE names, if the library has one; else one that lies BESIDE the program,
 * a pattern with braces, relative to its folder, if the program is linked for that; else the system's. */
static void *open_library(void) {
  const int flags = RTLD_NOW | RTLD_GLOBAL;
#ifdef VARIABLE
  const char *const named = secure_getenv(VARIABLE);
  if (named != NULL && *named != 0) return dlopen(named, flags);
#endif
#if defined(VARIABLE) && defined(BESIDE)
  char pattern[PATH_MAX + sizeof BESIDE + 1];
  const ssize_t length = readlink("/proc/self/exe", pattern, PATH_MAX);
  char *const slash = length > 0 ? memrchr(pattern, '/', (size_t)length) : NULL;
  glob_t found = {0};
  if (slash != NULL) {
    memcpy(slash + 1, BESIDE, sizeof BESIDE);
    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
      void *const library = dlopen(found.gl_pathv[0], flags);
      globfree(&found);
      if (library != NULL) return library;
    }
  }
#endif
  return dlopen(SONAME, flags);
}

static void fail(const char *reason) {
  char text[512];
  const int count = snprintf(text, sizeof text, "rawaudio: cannot load %s: %s; install the package %s\n", SONAME,
                             reason, PACKAGE);
  if (count > 0 && write(STDERR_FILENO, text, strnlen(text, sizeof text)) < 0) _exit(1);
  _exit(1);
}

/* Two threads may do this at the same time: both write the same. */
__attribute__((used)) static void load(void) {
  void *const library = open_library();
  if (library == NULL) fail(dlerror());
  for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
    /* As if it had been linked: what was loaded before the program comes first. */
    void *function = dlsym(RTLD_DEFAULT, functions[index].name);
    if (function == NULL) function = dlsym(library, functions[index].name);
    if (function == NULL) fail(dlerror());
    __atomic_store_n(functions[index].slot, function, __ATOMIC_RELEASE);
  }
}

#if defined(__x86_64__)
#include "x86_64.h"
#elif defined(__aarch64__)
#include "aarch64.h"
#else
#error "the jumps to a library's functions are written for x86-64 and AArch64"
#endif
FUNCTIONS(DEFINE)

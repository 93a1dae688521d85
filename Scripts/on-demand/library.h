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
 * a pattern relative to its folder, if the program is linked for that; else the system's. */
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
    if (glob(pattern, 0, NULL, &found) == 0) {
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

/* The first call keeps all registers that may hold arguments, and goes on where the slot in %r11 then points. */
__asm__(
    ".text\n"
    ".type first_call, @function\n"
    "first_call:\n"
    "  push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %r11\n"
    "  sub $136, %rsp\n"
    "  movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp); movups %xmm3, 48(%rsp)\n"
    "  movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp); movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)\n"
    "  call load\n"
    "  movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2; movups 48(%rsp), %xmm3\n"
    "  movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5; movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7\n"
    "  add $136, %rsp\n"
    "  pop %r11; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
    "  jmp *(%r11)\n"
    ".size first_call, . - first_call\n");

#define DEFINE(name)                                     \
  __asm__(".text\n"                                      \
          ".globl " #name "\n"                           \
          ".hidden " #name "\n"                          \
          ".type " #name ", @function\n"                 \
          #name ": jmp *slot_of_" #name "(%rip)\n"       \
          ".size " #name ", . - " #name "\n"             \
          "first_of_" #name ":\n"                        \
          "  lea slot_of_" #name "(%rip), %r11\n"        \
          "  jmp first_call\n"                           \
          ".data\n"                                      \
          ".hidden slot_of_" #name "\n"                  \
          ".globl slot_of_" #name "\n"                   \
          "slot_of_" #name ": .quad first_of_" #name "\n" \
          ".text\n");
FUNCTIONS(DEFINE)

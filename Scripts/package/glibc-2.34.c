// SPDX-License-Identifier: Apache-2.0
/* What the program has of glibc 2.35, for one that runs with 2.34. Libraries that are loaded later see none of it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* The older hypot differs from that of 2.35 in errno only, which nothing here reads (w_hypot_compat.c of glibc). */
#if defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST "GLIBC_2.17"
#endif
__asm__(".symver older_hypot, hypot@" FIRST "\n.symver older_hypotf, hypotf@" FIRST);
double older_hypot(double x, double y);
float older_hypotf(float x, float y);
HIDDEN double hypot(double x, double y) { return older_hypot(x, y); }
HIDDEN float hypotf(float x, float y) { return older_hypotf(x, y); }

struct search {
  uintptr_t address;
  struct dl_find_object *result;
};

/* 1 = the object holds the address, and has unwinding data; -1 = it has none. */
static int look(struct dl_phdr_info *object, size_t size, void *pointer) {
  (void)size;
  struct search *const search = pointer;
  int is_inside = 0;
  void *frames = NULL;
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *const segment = &object->dlpi_phdr[index];
    const uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) frames = (void *)begin;
    if (segment->p_type != PT_LOAD || search->address - begin >= segment->p_memsz) continue;
    is_inside = 1;
    search->result->dlfo_map_start = (void *)begin;
    search->result->dlfo_map_end = (void *)(begin + segment->p_memsz);
  }
  if (!is_inside) return 0;
  search->result->dlfo_eh_frame = frames;
  return frames != NULL ? 1 : -1;
}

/* libgcc asks this for the unwinding data of an address. It searches the loaded objects, as libgcc did itself before
 * (unwind-dw2-fde-dip.c). */
HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
  *result = (struct dl_find_object){0};
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

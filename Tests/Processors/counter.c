// SPDX-License-Identifier: Apache-2.0
/* A plug-in of qemu that counts the instructions of a program, and prints their number at its end. Debian has no header of
 * the interface, so its declarations stand here. Source: qemu, docs/devel/tcg-plugins. */

#include <inttypes.h>
#include <stdio.h>

struct block;
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct block *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct block *, int, void *, uint64_t);
extern void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct block *);

enum { ADD = 0 };

int qemu_plugin_version = 1;

/* Additions of two threads at the same time may be lost. The counted commands compute in one thread. */
static uint64_t count;

static void translate(uint64_t identifier, struct block *block) {
  (void)identifier;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &count, qemu_plugin_tb_n_insns(block));
}

static void end(uint64_t identifier, void *nothing) {
  (void)identifier, (void)nothing;
  fprintf(stderr, "instructions %" PRIu64 "\n", count);
}

int qemu_plugin_install(uint64_t identifier, const void *machine, int count_of_words, char **words) {
  (void)machine, (void)count_of_words, (void)words;
  qemu_plugin_register_vcpu_tb_trans_cb(identifier, translate);
  qemu_plugin_register_atexit_cb(identifier, end, NULL);
  return 0;
}

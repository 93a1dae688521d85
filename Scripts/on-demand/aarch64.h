// SPDX-License-Identifier: Apache-2.0
/* How a function of library.h jumps to where its slot points, on AArch64. */

/* The first call keeps all registers that may hold arguments (x8 is the place of a result), and goes on where the slot in
 * x17 then points. A linker may change x16 and x17 on the way into a function, so no caller expects to find them. */
__asm__(
    ".text\n"
    ".type first_call, %function\n"
    "first_call:\n"
    "  stp x29, x30, [sp, #-224]!\n"
    "  mov x29, sp\n"
    "  stp x0, x1, [sp, #16]; stp x2, x3, [sp, #32]; stp x4, x5, [sp, #48]; stp x6, x7, [sp, #64]\n"
    "  stp x8, x17, [sp, #80]\n"
    "  stp q0, q1, [sp, #96]; stp q2, q3, [sp, #128]; stp q4, q5, [sp, #160]; stp q6, q7, [sp, #192]\n"
    "  bl load\n"
    "  ldp q0, q1, [sp, #96]; ldp q2, q3, [sp, #128]; ldp q4, q5, [sp, #160]; ldp q6, q7, [sp, #192]\n"
    "  ldp x8, x17, [sp, #80]\n"
    "  ldp x0, x1, [sp, #16]; ldp x2, x3, [sp, #32]; ldp x4, x5, [sp, #48]; ldp x6, x7, [sp, #64]\n"
    "  ldp x29, x30, [sp], #224\n"
    "  ldr x16, [x17]\n"
    "  br x16\n"
    ".size first_call, . - first_call\n");

#define DEFINE(name)                                                \
  __asm__(".text\n"                                                 \
          ".globl " #name "\n"                                      \
          ".hidden " #name "\n"                                     \
          ".type " #name ", %function\n"                            \
          #name ":\n"                                               \
          "  adrp x16, slot_of_" #name "\n"                         \
          "  ldr x16, [x16, :lo12:slot_of_" #name "]\n"             \
          "  br x16\n"                                              \
          ".size " #name ", . - " #name "\n"                        \
          "first_of_" #name ":\n"                                   \
          "  adrp x17, slot_of_" #name "\n"                         \
          "  add x17, x17, :lo12:slot_of_" #name "\n"               \
          "  b first_call\n"                                        \
          ".data\n"                                                 \
          ".balign 8\n"                                             \
          ".hidden slot_of_" #name "\n"                             \
          ".globl slot_of_" #name "\n"                              \
          "slot_of_" #name ": .xword first_of_" #name "\n"          \
          ".text\n");

// SPDX-License-Identifier: Apache-2.0
/* How a function of library.h jumps to where its slot points, on x86-64. */

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

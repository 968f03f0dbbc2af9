/// @file
/// The context switch, once for each processor. A switch is a call, so only registers that a call preserves are saved:
/// on x86-64 (System V ABI) rbp, rbx, r12-r15; on aarch64 (AAPCS64) x19-x30 and the low halves of v8-v15.
///
/// The two functions of a processor differ in the last instruction only: see fiber.h.
#include "kernels/simulator/runtime/fiber.h"

#if defined(__x86_64__)
#define SIMT_SWITCH(name, leave) \
  ".globl " name                 \
  "\n"                           \
  ".type " name                  \
  ",@function\n"                 \
  ".p2align 4\n" name            \
  ":\n"                          \
  "  pushq %rbp\n"               \
  "  pushq %rbx\n"               \
  "  pushq %r12\n"               \
  "  pushq %r13\n"               \
  "  pushq %r14\n"               \
  "  pushq %r15\n"               \
  "  movq %rsp, (%rdi)\n"        \
  "  movq %rsi, %rsp\n"          \
  "  popq %r15\n"                \
  "  popq %r14\n"                \
  "  popq %r13\n"                \
  "  popq %r12\n"                \
  "  popq %rbx\n"                \
  "  popq %rbp\n" leave ".size " name ", .-" name "\n"

asm(".text\n"  //
    SIMT_SWITCH("simt_switch_by_jump", "  popq %rcx\n  jmp *%rcx\n") SIMT_SWITCH("simt_switch_by_return", "  ret\n"));

#elif defined(__aarch64__)
#define SIMT_SWITCH(name, leave) \
  ".globl " name                 \
  "\n"                           \
  ".type " name                  \
  ",%function\n"                 \
  ".p2align 4\n" name            \
  ":\n"                          \
  "  sub sp, sp, #176\n"         \
  "  stp x19, x20, [sp, #0]\n"   \
  "  stp x21, x22, [sp, #16]\n"  \
  "  stp x23, x24, [sp, #32]\n"  \
  "  stp x25, x26, [sp, #48]\n"  \
  "  stp x27, x28, [sp, #64]\n"  \
  "  stp x29, x30, [sp, #80]\n"  \
  "  stp d8, d9, [sp, #96]\n"    \
  "  stp d10, d11, [sp, #112]\n" \
  "  stp d12, d13, [sp, #128]\n" \
  "  stp d14, d15, [sp, #144]\n" \
  "  mov x9, sp\n"               \
  "  str x9, [x0]\n"             \
  "  mov sp, x1\n"               \
  "  ldp x19, x20, [sp, #0]\n"   \
  "  ldp x21, x22, [sp, #16]\n"  \
  "  ldp x23, x24, [sp, #32]\n"  \
  "  ldp x25, x26, [sp, #48]\n"  \
  "  ldp x27, x28, [sp, #64]\n"  \
  "  ldp x29, x30, [sp, #80]\n"  \
  "  ldp d8, d9, [sp, #96]\n"    \
  "  ldp d10, d11, [sp, #112]\n" \
  "  ldp d12, d13, [sp, #128]\n" \
  "  ldp d14, d15, [sp, #144]\n" \
  "  add sp, sp, #176\n" leave ".size " name ", .-" name "\n"

asm(".text\n"  //
    SIMT_SWITCH("simt_switch_by_jump", "  br x30\n") SIMT_SWITCH("simt_switch_by_return", "  ret\n"));

#else
#error "the simulator's context switch is written for x86-64 and aarch64"
#endif

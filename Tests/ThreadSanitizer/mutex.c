// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer when a Synchronization.Mutex for which threads wait is locked and unlocked.
//
// Where nobody waits, lock and unlock are compiled into the program, and the sanitizer sees their atomic
// operations. Where somebody does, _MutexHandle._lockSlow and _unlockSlow of libswiftSynchronization go
// through the kernel (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI), which it does not see: what one thread hands over to
// the next would be reported as a race. This library stands in front of libswiftSynchronization
// (LD_PRELOAD) and adds what is missing, at the address that the atomic operations use.
// (swift/stdlib/public/Synchronization/Mutex/LinuxImpl.swift; sanitizer/tsan_interface.h)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// How Swift calls a method without and with an argument.
#define SELF __attribute__((swift_context)) void *mutex
typedef __attribute__((swiftcall)) void method(SELF);
typedef __attribute__((swiftcall)) void method_of_thread(uint32_t thread, SELF);

// Only programs that were built with the sanitizer have these.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

__attribute__((swiftcall)) void told_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void told_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void told_lock_slow(uint32_t thread, SELF) {
  ((method_of_thread *)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void told_unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(mutex);
  ((method *)dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}

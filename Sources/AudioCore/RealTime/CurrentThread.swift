import Glibc

/// An identity of the calling thread that no other living thread has; never 0.
var currentThread: UInt { UInt(pthread_self()) }

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A C library that a feature loads when it is first used. It stays loaded until the end of this process.
@safe
package struct LoadedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// The corresponding C function is `dlopen`.
  ///
  /// - Parameters:
  ///   - name: its file, such as `libopus.so.0`.
  ///   - isGlobal: whether libraries that come later find its functions.
  /// - Returns: nil if it cannot be loaded.
  package init?(_ name: String, isGlobal: Bool = false) {
    let scope = isGlobal ? RTLD_GLOBAL : RTLD_LOCAL
    guard let handle = unsafe dlopen(name, RTLD_NOW | scope) else { return nil }
    unsafe self.handle = handle
  }

  /// A function of the library. The corresponding C function is `dlsym`.
  ///
  /// - Parameter Function: a C function type, which has to be that of the header.
  /// - Returns: nil if the library lacks it.
  @unsafe
  package func function<Function>(_ name: String, as type: Function.Type = Function.self)
    -> Function?
  {
    guard let symbol = unsafe dlsym(handle, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: type)
  }
}

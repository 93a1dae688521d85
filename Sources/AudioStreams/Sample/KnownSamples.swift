// SPDX-License-Identifier: Apache-2.0
/// Samples whose type the compiler knows.
///
/// Code that is generic over ``AudioSample`` looks up every operation at run time, which takes a hundred times as long
/// as the operation. So a loop over samples that is no kernel begins with this:
///
/// ```swift
/// switch samples.known {
/// case .single(let samples): peak(of: samples)
/// case .double(let samples): peak(of: samples)
/// }
/// ```
///
/// Each call names a type and gets a specialised loop; no generic loop remains in the program, which
/// `Scripts/specialised.py` checks.
package enum KnownSamples: ~Escapable {
  case single(Span<Float>)
  case double(Span<Double>)
}

extension Span where Element: AudioSample {
  package var known: KnownSamples {
    @_lifetime(copy self)
    get {
      let (start, count) = unsafe withUnsafeBufferPointer { samples in
        unsafe (UnsafeRawPointer(samples.baseAddress), samples.count)
      }
      switch Element.precision {
      case .single: return unsafe .single(_overrideLifetime(elements(start, count), copying: self))
      case .double: return unsafe .double(_overrideLifetime(elements(start, count), copying: self))
      }
    }
  }
}

@_lifetime(immortal)
@unsafe
private func elements<Known>(_ start: UnsafeRawPointer?, _ count: Int) -> Span<Known> {
  let samples = unsafe UnsafeBufferPointer(
    start: start?.assumingMemoryBound(to: Known.self), count: count)
  let span = unsafe Span(_unsafeElements: samples)
  return unsafe _overrideLifetime(span, borrowing: ())
}

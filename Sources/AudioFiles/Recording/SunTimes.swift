// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The times at which the sun rises and sets at a place.
///
/// Source: the equations of NOAA's solar calculator (gml.noaa.gov/grad/solcalc, after J. Meeus, "Astronomical
/// Algorithms"), which are right to a minute between 72° north and south, and to ten minutes beyond. The horizon is that
/// of the sea, and the air that of a standard atmosphere.
package struct SunTimes: Sendable, Hashable {
  /// A moment of the sun's day.
  package enum Event: String, Sendable, Hashable, CaseIterable {
    /// Civil twilight begins.
    case dawn
    case sunrise
    case sunset
    /// Civil twilight ends.
    case dusk

    /// The angle between the zenith and the sun's centre, in degrees.
    fileprivate var zenith: Double {
      switch self {
      // Half of the sun's disc, and the refraction at the horizon.
      case .sunrise, .sunset: 90.833
      case .dawn, .dusk: 96
      }
    }

    /// Whether the sun is in the east.
    fileprivate var isMorning: Bool { self == .dawn || self == .sunrise }

    /// The usual time of day by the sun, in seconds since midnight.
    var usualTime: Int {
      switch self {
      case .dawn: 5 * 3_600 + 1_800
      case .sunrise: 6 * 3_600
      case .sunset: 18 * 3_600
      case .dusk: 18 * 3_600 + 1_800
      }
    }
  }

  /// In degrees; north is positive.
  package let latitude: Double
  /// In degrees; east is positive.
  package let longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The time of an event, in seconds since 1970.
  ///
  /// Where the sun stays below the zenith angle all day, both events are at noon by the sun; where it stays above it, both
  /// are at midnight by the sun. The times of the days before tend to these.
  ///
  /// - Parameter day: the number of the place's day by the sun. Noon of day 0 is about 12:00 by the sun, local mean time,
  ///   on the first of January 1970.
  package func time(of event: Event, onDay day: Int) -> Int {
    // Mean noon at the place.
    let middle = Double(day) * 86_400 + 43_200 - longitude * 240
    var time = middle
    // The sun's place is that at the event itself, which converges fast.
    for _ in 0..<6 {
      let sun = SunPlace(at: time)
      let angle = hourAngle(event.zenith, sun.declination)
      time = middle - sun.equationOfTime + (event.isMorning ? -angle : angle) * 240
    }
    return Int(time.rounded())
  }

  /// The angle that the earth turns between the event and noon, in degrees from 0 to 180.
  private func hourAngle(_ zenith: Double, _ declination: Double) -> Double {
    // At a pole itself the cosine is not quite 0.
    let cosine =
      cosine(zenith) / (cosine(latitude) * cosine(declination))
      - sine(latitude) / cosine(latitude) * sine(declination) / cosine(declination)
    return acos(min(1, max(-1, cosine))) * 180 / .pi
  }
}

/// The sun as NOAA's calculator sees it.
private struct SunPlace {
  /// In degrees.
  let declination: Double
  /// How much a sundial is ahead of a clock, in seconds.
  let equationOfTime: Double

  /// - Parameter time: in seconds since 1970.
  init(at time: Double) {
    // The Julian date of 1970 is 2440587.5, that of J2000 2451545.
    let century = (time / 86_400 + 2_440_587.5 - 2_451_545) / 36_525
    let longitude = 280.46646 + century * (36_000.76983 + century * 0.0003032)
    let anomaly = 357.52911 + century * (35_999.05029 - 0.0001537 * century)
    let eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
    let centre =
      sine(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
      + sine(2 * anomaly) * (0.019993 - 0.000101 * century) + sine(3 * anomaly) * 0.000289
    let node = 125.04 - 1_934.136 * century
    let apparent = longitude + centre - 0.00569 - 0.00478 * sine(node)
    let seconds = 21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))
    let obliquity = 23 + (26 + seconds / 60) / 60 + 0.00256 * cosine(node)
    declination = asin(sine(obliquity) * sine(apparent)) * 180 / .pi
    let half = sine(obliquity / 2) / cosine(obliquity / 2)
    let y = half * half
    let angle =
      y * sine(2 * longitude) - 2 * eccentricity * sine(anomaly)
      + 4 * eccentricity * y * sine(anomaly) * cosine(2 * longitude)
      - 0.5 * y * y * sine(4 * longitude)
      - 1.25 * eccentricity * eccentricity * sine(2 * anomaly)
    // The earth turns by a degree in 240 s.
    equationOfTime = angle * 180 / .pi * 240
  }
}

/// - Parameter degrees: of any size.
private func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

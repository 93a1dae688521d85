// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The sun's times against tables of the U. S. Naval Observatory (Astronomical Applications Department, "Rise and Set for
/// the Sun" and "Civil Twilight", aa.usno.navy.mil/data/RS_OneYear), which are rounded to minutes.
@Suite struct SunTimesTests {
  /// A row of a table: the hours and minutes of the place's zone, as the table writes them.
  struct Row: Sendable, CustomTestStringConvertible {
    var place: Place
    var date: (year: Int, month: Int, day: Int)
    var times: [SunTimes.Event: Int]

    init(_ place: Place, _ year: Int, _ month: Int, _ day: Int, _ times: [SunTimes.Event: Int]) {
      self.place = place
      date = (year, month, day)
      self.times = times
    }

    var testDescription: String { "\(place) \(date)" }
  }

  enum Place: Sendable {
    /// N42 27, W076 30; 4 h west of Greenwich.
    case ithaca
    /// N36 57, W112 31; 7 h west.
    case fredonia
    /// 0, 0; universal time.
    case equator
    /// S42 27, E076 30; 4 h east.
    case south
    /// N80, 0; universal time.
    case arctic

    var sun: SunTimes {
      switch self {
      case .ithaca: SunTimes(latitude: 42.45, longitude: -76.5)
      case .fredonia: SunTimes(latitude: 36.95, longitude: -112.52)
      case .equator: SunTimes(latitude: 0, longitude: 0)
      case .south: SunTimes(latitude: -42.45, longitude: 76.5)
      case .arctic: SunTimes(latitude: 80, longitude: 0)
      }
    }

    /// In hours.
    var zone: Int {
      switch self {
      case .ithaca: -4
      case .fredonia: -7
      case .equator, .arctic: 0
      case .south: 4
      }
    }
  }

  static let rows = [
    Row(.ithaca, 2015, 1, 1, [.dawn: 804, .sunrise: 836, .sunset: 1744, .dusk: 1816]),
    Row(.ithaca, 2015, 3, 21, [.dawn: 640, .sunrise: 708, .sunset: 1919, .dusk: 1947]),
    Row(.ithaca, 2015, 6, 21, [.dawn: 454, .sunrise: 529, .sunset: 2047, .dusk: 2122]),
    Row(.ithaca, 2015, 10, 31, [.dawn: 709, .sunrise: 738, .sunset: 1801, .dusk: 1830]),
    Row(.fredonia, 2023, 2, 14, [.sunrise: 720, .sunset: 1809]),
    Row(.fredonia, 2023, 8, 1, [.sunrise: 535, .sunset: 1937]),
    Row(.fredonia, 2023, 11, 30, [.sunrise: 723, .sunset: 1714]),
    Row(.equator, 2000, 2, 11, [.sunrise: 611, .sunset: 1818]),
    Row(.equator, 2000, 11, 3, [.sunrise: 540, .sunset: 1747]),
    Row(.south, 2015, 1, 1, [.sunrise: 320, .sunset: 1834]),
    Row(.south, 2015, 6, 21, [.sunrise: 624, .sunset: 1528]),
    Row(.south, 2015, 9, 22, [.sunrise: 444, .sunset: 1650]),
    Row(.arctic, 2015, 2, 21, [.sunrise: 1121, .sunset: 1309]),
    Row(.arctic, 2015, 3, 21, [.sunrise: 546, .sunset: 1834]),
    Row(.arctic, 2015, 4, 12, [.sunrise: 126, .sunset: 2301]),
    Row(.arctic, 2015, 10, 10, [.sunrise: 806, .sunset: 1525]),
  ]

  @Test(arguments: rows)
  func theTimesAreThoseOfTheTables(_ row: Row) throws {
    let (year, month, day) = row.date
    let midnight = try #require(CivilTime.utc.midnight(year, month, day))
    for (event, text) in row.times {
      let published = midnight + (text / 100 - row.place.zone) * 3_600 + text % 100 * 60
      let found = row.place.sun.time(of: event, onDay: midnight / 86_400)
      #expect(abs(found - published) <= 60, "\(event)")
    }
  }

  /// The sun of the tables does not rise from 22 October to 20 February, and does not set from 14 April to 29 August.
  @Test func thePolarDayAndNight() throws {
    let sun = Place.arctic.sun
    func times(_ month: Int, _ day: Int) throws -> (rise: Int, set: Int) {
      let midnight = try #require(CivilTime.utc.midnight(2015, month, day))
      let number = midnight / 86_400
      return (
        sun.time(of: .sunrise, onDay: number) - midnight,
        sun.time(of: .sunset, onDay: number) - midnight
      )
    }
    // The equation of time is at most 17 minutes.
    let night = try times(12, 21)
    #expect(night.rise == night.set && abs(night.rise - 43_200) < 1_020)
    let day = try times(6, 21)
    #expect(abs(day.rise) < 1_020 && day.set - day.rise >= 86_390)
    #expect(try times(10, 21).rise < times(10, 21).set)
    #expect(try times(10, 22).rise == times(10, 22).set)
    #expect(try times(2, 20).rise == times(2, 20).set)
    #expect(try times(4, 13).set - times(4, 13).rise < 86_300)
  }

  /// Six hours and more of the longitude lie on another day of UTC.
  @Test func theDayIsThatOfThePlace() throws {
    let midnight = try #require(CivilTime.utc.midnight(2026, 3, 20))
    for longitude in stride(from: -180.0, through: 180, by: 60) {
      let sun = SunTimes(latitude: 10, longitude: longitude)
      let noon = midnight + 43_200 - Int(longitude * 240)
      let (rise, set) = (
        sun.time(of: .sunrise, onDay: midnight / 86_400),
        sun.time(of: .sunset, onDay: midnight / 86_400)
      )
      #expect((noon - 7 * 3_600..<noon - 5 * 3_600).contains(rise))
      #expect((noon + 5 * 3_600..<noon + 7 * 3_600).contains(set))
    }
  }
}

extension CivilTime {
  /// The seconds since 1970 at the beginning of a day of UTC.
  func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let months = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    guard (1...12).contains(month), year >= 1970, self == .utc else { return nil }
    let leaps = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 - 477
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days =
      (year - 1970) * 365 + leaps + months[month - 1] + (isLeap && month > 2 ? 1 : 0) + day - 1
    return days * 86_400
  }
}

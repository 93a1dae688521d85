// SPDX-License-Identifier: Apache-2.0
/// A control of a plug-in: a number that is constant while the plug-in runs.
package struct PluginPort: Sendable, Equatable {
  /// The name in settings: LV2's symbol, or LADSPA's name in lower case with `_` for other characters.
  package var symbol: String
  /// The plug-in's display name of the control.
  package var name: String
  /// In the plug-in's own unit; nil means no bound.
  package var minimum: Double?
  package var maximum: Double?
  /// The default; nil if the plug-in has none: then it is 0, or the nearest bound.
  package var preset: Double?
  /// For example `dB`, `Hz`, `ms`; nil if the plug-in states none.
  package var unit: String?
  package var isToggled = false
  package var isInteger = false
  /// Whether bounds and default are fractions of the sample rate.
  package var followsRate = false
  /// The named values.
  package var points: [Point] = []

  package struct Point: Sendable, Equatable {
    package var label: String
    package var value: Double

    package init(label: String, value: Double) { (self.label, self.value) = (label, value) }
  }

  package init(symbol: String, name: String) { (self.symbol, self.name) = (symbol, name) }

  /// The value without a setting.
  package var standard: Double {
    let value = preset ?? 0
    return min(max(value, minimum ?? value), max(maximum ?? value, minimum ?? value))
  }
}

extension PluginPort {
  package var json: JSONValue {
    let points = points.map { point in
      JSONValue.object([("label", .string(point.label)), ("value", .number(point.value))])
    }
    return .object([
      ("symbol", .string(symbol)), ("name", .string(name)), ("minimum", .optional(minimum)),
      ("maximum", .optional(maximum)), ("default", .optional(preset)),
      ("unit", unit.map { .string($0) } ?? .null), ("isToggled", .boolean(isToggled)),
      ("isInteger", .boolean(isInteger)), ("followsRate", .boolean(followsRate)),
      ("scalePoints", .array(points)),
    ])
  }

  /// Nil if `json` is no port.
  init?(_ json: JSONValue) {
    guard let symbol = json["symbol"]?.text, let name = json["name"]?.text else { return nil }
    self.init(symbol: symbol, name: name)
    minimum = json["minimum"]?.double
    maximum = json["maximum"]?.double
    preset = json["default"]?.double
    unit = json["unit"]?.text
    isToggled = json["isToggled"]?.flag ?? false
    isInteger = json["isInteger"]?.flag ?? false
    followsRate = json["followsRate"]?.flag ?? false
    points = (json["scalePoints"]?.elements ?? []).compactMap { point in
      guard let label = point["label"]?.text, let value = point["value"]?.double else { return nil }
      return Point(label: label, value: value)
    }
  }
}

extension JSONValue {
  fileprivate static func optional(_ value: Double?) -> JSONValue {
    value.map { .number($0) } ?? .null
  }
}

extension Double {
  /// The digits of a `Float`, without a fraction of 0.
  package var shortest: String {
    let text = "\(Float(self))"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

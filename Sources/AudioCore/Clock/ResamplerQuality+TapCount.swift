extension ResamplerQuality {
  /// The coefficients in a row of the filter that this quality makes for `ratio`; as ``PolyphaseFilter``
  /// designs it, without computing it.
  func tapCount(for ratio: ResamplingRatio) -> Int {
    let transition = (stopBandEdge - passBandEdge) * ratio.bandwidth * Double.pi
    let order = KaiserWindow.order(attenuation: designAttenuation, transition: transition)
    return (Int(order.rounded(.up)) + 16) & ~15
  }
}

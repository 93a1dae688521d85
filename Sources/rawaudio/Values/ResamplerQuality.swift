/// How much work a rate conversion may cost.
enum ResamplerQuality: String, Sendable, CaseIterable {
  case fast
  case high
  case best
}

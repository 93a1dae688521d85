import Testing

@testable import rawaudio

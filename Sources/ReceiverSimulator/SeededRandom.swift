/// Random numbers that are the same for the same seed. SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// 0 up to but not 1.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Of mean 0 and variance 1: the sum of four uniforms, which never goes beyond 3.5.
  package mutating func normal() -> Double {
    (uniform() + uniform() + uniform() + uniform() - 2) * 1.732_050_807_568_877
  }
}

/// Eight characters of a sentence in one number, the first in the lowest byte, less `0`: a digit's
/// byte is what it stands for. All are below 0x80 up to the star, as the scanner lets no others
/// into a sentence; what lies behind the star can only change how what is behind it looks.
struct TextWord {
  let values: UInt64

  @inline(__always)
  init(characters: UInt64) { values = characters ^ Self.all(UInt8(ascii: "0")) }

  /// The same byte eight times.
  @inline(__always)
  static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Bit 7 of each character that is no digit: what is above nine reaches it.
  @inline(__always)
  var others: UInt64 { (values &+ Self.all(0x76)) & Self.all(0x80) }

  /// The first `count` (1...8) characters as digits, which they must be.
  @inline(__always)
  func digits(_ count: Int) -> Digits {
    Digits(values: values &<< UInt64(truncatingIfNeeded: 64 &- count &* 8))
  }

  /// The same without the one at `place`, which may be anything.
  @inline(__always)
  func digits(_ count: Int, without place: Int) -> Digits {
    let before: UInt64 = (1 &<< UInt64(truncatingIfNeeded: place &* 8)) &- 1
    let joined = values & ~(before &<< 8 | 0xff) | (values & before) &<< 8
    return Digits(values: joined &<< UInt64(truncatingIfNeeded: 64 &- count &* 8))
  }

  /// Up to eight digits, the last in the highest byte and zeros before the first.
  struct Digits {
    let values: UInt64

    /// The digits two by two, each pair in 16 bits.
    @inline(__always)
    var pairs: UInt64 { (values &* 2561) &>> 8 & 0x00ff_00ff_00ff_00ff }

    /// The number, as there are four digits at most.
    @inline(__always)
    var shortNumber: Int { Int(truncatingIfNeeded: (pairs &* 6_553_601) &>> 48) }

    @inline(__always)
    var number: Int {
      let fours = (pairs &* 6_553_601) &>> 16 & 0x0000_ffff_0000_ffff
      return Int(truncatingIfNeeded: (fours &* 42_949_672_960_001) &>> 32)
    }
  }
}

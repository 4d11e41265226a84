/// A name as it is looked up: in small letters, Latin ones without their accents, one blank for
/// whatever stands between words. So `SAINT-ÉTIENNE`, `Saint Étienne` and `saint etienne` are one
/// name, and so are `München` and `Munchen`.
package enum FoldedName {
  package static func bytes(of name: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(name.utf8.count)
    for scalar in name.unicodeScalars { append(scalar, to: &folded) }
    if folded.last == blank { folded.removeLast() }
    return folded
  }

  private static let blank = UInt8(ascii: " ")

  private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0x61...0x7a, 0x30...0x39: folded.append(UInt8(scalar.value))
    case 0x41...0x5a: folded.append(UInt8(scalar.value + 0x20))
    case 0x27, 0x60, 0xb4, 0x2bb...0x2bf, 0x2018, 0x2019: break  // apostrophes: within a word
    case 0x00...0x7f, 0xa0, 0xb7, 0x2010...0x2015, 0x3000, 0x30fb:
      if !folded.isEmpty, folded.last != blank { folded.append(blank) }
    case 0x300...0x36f: break  // accents that stand alone
    case 0xc0..<0x180: append(latin[Int(scalar.value) - 0xc0], of: scalar, to: &folded)
    case 0x218, 0x219: folded.append(UInt8(ascii: "s"))
    case 0x21a, 0x21b: folded.append(UInt8(ascii: "t"))
    case 0x1a0, 0x1a1: folded.append(UInt8(ascii: "o"))
    case 0x1af, 0x1b0: folded.append(UInt8(ascii: "u"))
    case 0x1e00..<0x1f00: append(additional[Int(scalar.value) - 0x1e00], of: scalar, to: &folded)
    default: folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
  }

  /// `-` in the tables keeps the letter; `1` to `5` stand for two letters.
  private static func append(
    _ letter: UInt8, of scalar: Unicode.Scalar, to folded: inout [UInt8]
  ) {
    switch letter {
    case UInt8(ascii: "-"): folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    case UInt8(ascii: "1"): folded.append(contentsOf: "ae".utf8)
    case UInt8(ascii: "2"): folded.append(contentsOf: "th".utf8)
    case UInt8(ascii: "3"): folded.append(contentsOf: "ss".utf8)
    case UInt8(ascii: "4"): folded.append(contentsOf: "ij".utf8)
    case UInt8(ascii: "5"): folded.append(contentsOf: "oe".utf8)
    default: folded.append(letter)
    }
  }

  /// U+00C0 to U+017F.
  private static let latin = Array(
    """
    aaaaaa1ceeeeiiiidnooooo-ouuuuy23aaaaaa1ceeeeiiiidnooooo-ouuuuy2y\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii44jjkkklllllll\
    lllnnnnnn-nnoooooo55rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """.utf8)

  /// U+1E00 to U+1EFF: Latin Extended Additional, Vietnamese among it.
  private static let additional = Array(
    """
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm\
    mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv\
    wwwwwwwwwwxxxxyyzzzzzzhtwyas--3-aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy------
    """.utf8)
}

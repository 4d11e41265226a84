import Bytes
import Testing

@testable import Gazetteer

@Suite("GeoNames dump") struct GeoNamesLineTests {
  static let broken = [
    "only a name", "1\tA\tA\t\t1\t2", Samples.lines[0].replacing("48.13743", with: "148.13743"),
    Samples.lines[0].replacing("48.13743", with: "nan"),
    Samples.lines[0].replacing("11.57549", with: ""),
    Samples.lines[0].replacing("\tMunich\tMunich", with: "\t\tMunich"),
  ]

  @Test("a line without its columns is named by its number", arguments: broken)
  func badLine(line: String) throws {
    var builder = PlaceIndexBuilder()
    try Array(Samples.lines[1].utf8).withByteView { try builder.add($0) }
    let refusal = Array(line.utf8).withByteView { view -> GazetteerError? in
      do throws(GazetteerError) { try builder.add(view) } catch { return error }
      return nil
    }
    let message = refusal?.message(path: "cities.txt") ?? ""
    #expect(message.hasPrefix("cities.txt:2: not the 19 columns"))
  }

  @Test("numbers out of bounds become the nearest that fits, unknown ones 0")
  func population() {
    for (text, value) in [("-5", 0), ("99999999999", UInt32.max), ("", 0), ("12x", 0)] {
      let line = Samples.lines[0].replacing("\t1260391\t", with: "\t\(text)\t")
      #expect(Array(line.utf8).withByteView { GeoNamesLine($0)?.place.population } == value)
    }
  }

  @Test("comments, empty lines and carriage returns are passed over; a zip file is named so")
  func around() throws {
    let index = try Samples.index(["# comment", "", "\r", Samples.lines[0] + "\r"])
    #expect(try index.withByteView { try PlaceIndex($0).placeCount } == 1)
    #expect(throws: GazetteerError.packedDump) { try Samples.index(["PK\u{3}\u{4}..."]) }
    #expect(throws: GazetteerError.noPlaces) { try Samples.index([]) }
  }

  static let folded: [(name: String, folded: String)] = [
    ("Zürich", "zurich"), ("ŁÓDŹ", "lodz"), ("Ålesund", "alesund"), ("Straße", "strasse"),
    ("Œuilly", "oeuilly"), ("Þórshöfn", "thorshofn"),
    ("Thành phố Hồ Chí Minh", "thanh pho ho chi minh"),
    ("Αθήνα", "αθήνα"), ("МОСКВА", "москва"), ("Iași", "iasi"), ("u\u{308}ber", "uber"),
    ("Saint-Malo", "saint malo"), ("Winston–Salem", "winston salem"), ("東京", "東京"),
    ("Xi'an", "xian"), ("IJmuiden", "ijmuiden"), ("Ĳssel", "ijssel"), ("-a-", "a"),
  ]

  @Test("names are folded", arguments: folded)
  func fold(name: String, expected: String) {
    #expect(String(decoding: FoldedName.bytes(of: name), as: UTF8.self) == expected)
  }
}

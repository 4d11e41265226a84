/// One navigation solution's instant with everything that came with it.
package struct Epoch: Equatable, Sendable {
  package var fix = Fix()
  /// The satellites in view as they stand after this epoch; `satellitesAreFresh` tells whether this
  /// epoch listed any itself.
  package var satellites: [Satellite] = []
  package var satellitesAreFresh = false
  /// When the first and the last byte of the epoch's messages were read.
  package var firstByte = Monotonic.zero
  package var lastByte = Monotonic.zero

  /// More satellites or signals than this in one epoch are dropped and counted. gpsd's clients of
  /// all versions hold 140.
  package static let satelliteCountMax = 140

  package init() {}
}

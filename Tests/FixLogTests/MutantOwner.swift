import Bytes

@testable import FixLog

/// Ways to get it wrong. The crash states must show each of them.
enum Mutation: String, CaseIterable, Sendable {
  case none
  /// Writes are never synced.
  case noSync
  /// Success is reported for a write before it is carried out.
  case earlyAcknowledgement
  /// Tail images always go to slot A.
  case oneSlot
  /// The open block is rewritten in its place in the ring.
  case inPlace
  /// A tail image overtakes the full block before it.
  case commitBeforeSeal
  /// Sequence numbers wrap at 16 bits.
  case shortSequence
  /// A new incarnation does not count as one.
  case sameEpoch
}

/// Carries orders out, as the daemon does, with one mistake.
struct MutantOwner {
  private let mutation: Mutation
  private var held: StorageOrder?

  init(_ mutation: Mutation) { self.mutation = mutation }

  mutating func execute(
    _ order: StorageOrder, on disk: SimDisk, _ geometry: RingGeometry
  ) -> Result<Void, StorageError> {
    let isTail = order.offset < geometry.dataOffset
    switch mutation {
    case .none: return order.execute(on: disk)
    case .noSync:
      do throws(StorageError) { try order.write(to: disk) } catch { return .failure(error) }
      return .success(())
    case .earlyAcknowledgement:
      let before = held
      held = order
      return before?.execute(on: disk) ?? .success(())
    case .oneSlot:
      guard isTail else { return order.execute(on: disk) }
      return StorageOrder(offset: geometry.offset(ofSlot: 0), bytes: order.bytes)
        .execute(on: disk)
    case .inPlace:
      let sequence = order.bytes.withByteView { $0.littleEndian(at: 8, as: UInt64.self) }
      return changed(order, offset: geometry.offset(of: sequence)) { $0[52] |= 1 }
        .execute(on: disk)
    case .commitBeforeSeal:
      if !isTail, held == nil {
        held = order
        return .success(())
      }
      let result = order.execute(on: disk)
      _ = held?.execute(on: disk)
      held = nil
      return result
    case .shortSequence:
      return changed(order, offset: order.offset) { bytes in
        for index in 10..<16 { bytes[index] = 0 }
      }.execute(on: disk)
    case .sameEpoch:
      return changed(order, offset: order.offset) { bytes in
        bytes[16] = 1
        for index in 17..<20 { bytes[index] = 0 }
      }.execute(on: disk)
    }
  }

  /// The order with its block changed and checksummed again.
  private func changed(
    _ order: StorageOrder, offset: Int, _ change: (inout [UInt8]) -> Void
  ) -> StorageOrder {
    var bytes = order.bytes
    change(&bytes)
    for index in 4..<8 { bytes[index] = 0 }
    let checksum = bytes.withByteView(CRC32C.checksum)
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
    return StorageOrder(offset: offset, bytes: bytes)
  }
}

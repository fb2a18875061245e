/// The positions of a sentence's commas, stored without allocation; room for the longest sentence.
struct CommaPositions: Sendable {
  private typealias Quarter = SIMD64<UInt8>
  private var positions = (Quarter(), Quarter(), Quarter(), Quarter())

  /// Stores the position of a comma.
  @inline(__always)
  mutating func set(_ index: Int, _ position: UInt8) {
    withUnsafeMutableBytes(of: &positions) { $0[index & 0xFF] = position }
  }

  /// The first `count` positions.
  @inline(__always)
  func withBytes<R>(_ count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withUnsafeBytes(of: positions) {
      $0.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }
  }
}

import Formats
import Quantities

/// Stellarium's telescope protocol: five directions a second, and none while none is known. A goto
/// message is an alignment on that star.
///
/// A direction that is lost ends the connection: Stellarium shows the last one as long as it lasts,
/// and connects again.
struct StellariumDialect: PointingDialect {
  private static let interval = 0.2

  private var last: Timestamp?
  private var hasSent = false

  mutating func answer(_ input: inout [UInt8], _ board: PointedBoard) -> PointingAnswer? {
    do throws(StellariumFault) {
      guard let request = try StellariumMessage.request(&input) else { return nil }
      if case .goto(let star) = request, let sky = board.sky {
        _ = board.align(on: sky.ofDate(j2000: star))
      }
      return PointingAnswer.none
    } catch { return .end }
  }

  mutating func report(_ board: PointedBoard) -> PointingAnswer {
    guard let estimate = board.estimate else { return hasSent ? .end : .none }
    guard last.isDue(at: estimate.timestamp, every: Self.interval) else { return .none }
    guard let utc = estimate.utc, let direction = board.j2000 else {
      return hasSent ? .end : .none
    }
    hasSent = true
    return .text(
      StellariumMessage.position(direction, at: utc, isFaulty: estimate.isSimulated))
  }
}

import Quantities
import ReceiverProtocols
import Testing

/// The comparison of accuracies that are stated with those that were computed from a dilution.
@Suite("Accuracies of sources of positions", .timeLimit(.minutes(30)))
struct PositionSourcesAccuracyTests {
  /// One sigma of a range without corrections, by which a dilution becomes metres, m.
  private static let rangeError = 7.1

  private struct Source {
    var accuracy: Double?
    var isStated: Bool
    var dilution: Double
  }

  /// Which of two sources is used after a minute of both; the first begins.
  private func used(_ sources: [Source]) -> Int {
    var choice = PositionChoice()
    for second in 0..<60 {
      for (index, source) in sources.enumerated() {
        let arrival = Timestamp(nanoseconds: UInt64(second * 10 + index) * 100_000_000)
        var fix = Fix(timestamp: arrival, kind: .threeDimensional)
        // In motion, so that neither is frozen.
        fix.position = GeodeticPosition(
          latitudeDegrees: 54 + Double(second) * 1e-5, longitudeDegrees: 10)
        fix.horizontalDilution = source.dilution
        fix.horizontalAccuracyMetres = source.accuracy
        fix.isAccuracyStated = source.isStated
        _ = choice.decide(fix, of: index, at: arrival)
      }
    }
    return choice.chosen
  }

  @Test("a stated accuracy that happens to equal that of the dilution is a stated one")
  func coincidence() {
    let first = Source(accuracy: Self.rangeError, isStated: true, dilution: 1)
    #expect(used([first, Source(accuracy: 0.5, isStated: true, dilution: 2)]) == 1)
  }

  @Test("a missing accuracy is not a stated one: both are those of the dilutions")
  func missing() {
    let first = Source(accuracy: nil, isStated: true, dilution: 1)
    #expect(used([first, Source(accuracy: 0.5, isStated: true, dilution: 2)]) == 0)
    let computed = Source(accuracy: 2 * Self.rangeError, isStated: false, dilution: 2)
    #expect(used([first, computed]) == 0 && used([computed, first]) == 1)
  }

  @Test(
    "a receiver's own accuracy is stated, that of the dilution is not", arguments: [true, false])
  func decoded(isStated: Bool) throws {
    var text = sentence("GPGGA,120000.00,5400.0000,N,01000.0000,E,1,10,0.9,3.0,M,45.0,M,,")
    if isStated { text += sentence("GPGST,120000.00,,,,,0.4,0.4,1.0") }
    var (decoder, sources, fixes) = (ReceiverDecoder(), PositionSources(), [Fix]())
    Array(text.utf8).withUnsafeBytes {
      decoder.push($0) { message in
        sources.add(message, at: Timestamp(nanoseconds: 0)) {
          if case .epoch(let epoch) = $0 { fixes.append(epoch.fix) }
        }
      }
    }
    sources.finish { if case .epoch(let epoch) = $0 { fixes.append(epoch.fix) } }
    let fix = try #require(fixes.last)
    #expect(fix.horizontalAccuracyMetres != nil && fix.isAccuracyStated == isStated)
  }
}

import Quantities
import ReceiverProtocols

/// A correct receiver, whose sentences, order, rate and start depend on the input. The epochs must
/// be its instants, each once and in order, except for revisions.
struct CycleBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var reader = InputReader(input)
    let cycles = Self.cycles(&reader)
    var epochs: [ReceiverEpoch] = []
    var stream = Stream()
    for cycle in cycles {
      for line in cycle.sentences {
        line.withUnsafeBytes { bytes in
          stream.push(bytes) { if case .epoch(let epoch) = $0 { epochs.append(epoch) } }
        }
      }
      if cycle.isFollowedBySilence {
        stream.fallSilent { if case .epoch(let epoch) = $0 { epochs.append(epoch) } }
      }
    }
    stream.finish { if case .epoch(let epoch) = $0 { epochs.append(epoch) } }
    for epoch in epochs { try epoch.check() }
    try expect(stream.counts.rejected == 0, "\(stream.counts)")
    try expect(stream.counts.unreadableFields == 0, "\(stream.counts)")
    // A sentence without a time after the cycle's predicted end becomes an epoch without a position
    // where silence follows.
    let untimed = epochs.filter { $0.fix.utc == nil }
    try expect(untimed.allSatisfy { $0.fix.position == nil }, "a position without a time")
    let timed = epochs.filter { $0.fix.utc != nil }
    let latest = timed.indices.filter { $0 + 1 == timed.count || !timed[$0 + 1].isRevision }
      .map { timed[$0] }
    try expect(
      latest.map { $0.fix.utc } == cycles.map { $0.utc },
      "\(latest.map { $0.fix.utc?.nanosecondsSince1970 ?? 0 }) of "
        + "\(cycles.map { $0.utc.nanosecondsSince1970 }) from \(Self.text(cycles))")
    for (epoch, cycle) in zip(latest, cycles) {
      guard let place = epoch.fix.position else {
        throw Violation("no position at \(cycle.utc)")
      }
      // Five decimals of a minute are printed, so half a unit of the last is 8.4e-8 degrees.
      try expect(
        abs(place.latitude.degrees - cycle.latitude) < 1e-7
          && abs(place.longitude.degrees - cycle.longitude) < 1e-7,
        "\(place) instead of \(cycle.latitude) \(cycle.longitude)")
    }
  }

  private struct Cycle {
    let utc: UTCTime
    let latitude: Double
    let longitude: Double
    let sentences: [[UInt8]]
    let isFollowedBySilence: Bool
  }

  /// The stream as text for a message, with silence as a blank line.
  private static func text(_ cycles: [Cycle]) -> String {
    cycles.map { cycle in
      cycle.sentences.map { String(decoding: $0, as: UTF8.self) }.joined()
        + (cycle.isFollowedBySilence ? "\r\n" : "")
    }.joined()
  }

  /// Usual intervals between epochs, milliseconds.
  private static let steps = [100, 200, 250, 500, 1000, 2000, 10_000]
  private static let kinds: [PrintedCycle.Kind] = [.rmc, .gga, .gll, .gns, .zda, .vtg]

  private static func cycles(_ reader: inout InputReader) -> [Cycle] {
    let step = steps[reader.choice(steps.count)]
    // About one in four streams crosses midnight.
    let start = 86_400_000 - 5000 * (1 + reader.choice(4)) * (reader.bool() ? 1 : 100)
    let day = CivilDate(year: 1990 + reader.choice(80), month: 1 + reader.choice(12), day: 28)
    let talker: StaticString = reader.bool() ? "GP" : reader.bool() ? "GN" : "II"
    // The first sentence contains the date, which no earlier one could; the others are random.
    let order = [.rmc] + (0..<reader.choice(6)).map { _ in kinds[reader.choice(kinds.count)] }
    let irregular = reader.byte()
    var milliseconds = Int64(day.daysSince1970) * 86_400_000 + Int64(start)
    var cycles: [Cycle] = []
    while cycles.count < 12, !reader.isAtEnd || cycles.isEmpty {
      let printed = PrintedCycle(
        talker: talker, utc: UTCTime(nanosecondsSince1970: milliseconds * 1_000_000),
        latitude: (reader.fraction() - 0.5) * 178, longitude: (reader.fraction() - 0.5) * 358)
      // Receivers sometimes omit or repeat sentences.
      var kinds = order
      if irregular & 1 == 1, reader.byte() > 200 { kinds.removeLast(reader.choice(kinds.count)) }
      if irregular & 2 == 2, reader.byte() > 200 { kinds.append(Self.kinds[reader.choice(5)]) }
      // A second VTG, which has no time, would belong to another instant.
      var hasVTG = false
      kinds.removeAll { kind in
        defer { hasVTG = hasVTG || kind == .vtg }
        return kind == .vtg && hasVTG
      }
      cycles.append(
        Cycle(
          utc: printed.utc, latitude: printed.latitude, longitude: printed.longitude,
          sentences: kinds.map { printed.sentence($0) },
          isFollowedBySilence: irregular & 4 == 4 && reader.bool()))
      milliseconds += Int64(step) * Int64(irregular & 8 == 8 ? 1 + reader.choice(3) : 1)
    }
    return cycles
  }
}

import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Cases that people's set-ups produced; `../shared/data/cases/README.md` says what is right.
@Suite(
  "Cases of the field", .enabled(if: SharedData.path("data/cases") != nil, "no reference data"),
  .timeLimit(.minutes(30)))
struct FieldCaseTests {
  private func epochs(_ name: String) throws -> [ReceiverEpoch] {
    var (reader, epochs) = (ReceiverReader(), [ReceiverEpoch]())
    let start = Timestamp(nanoseconds: 1_000_000_000)
    let bytes = try #require(SharedData.bytes("data/cases/\(name)"))
    bytes.withUnsafeBytes {
      reader.push($0, at: start) { if case .epoch(let epoch) = $0 { epochs.append(epoch) } }
    }
    reader.finish(at: start) { if case .epoch(let epoch) = $0 { epochs.append(epoch) } }
    return epochs
  }

  @Test("a group of GSV whose later sentences leave the totals empty is whole")
  func emptyTotals() throws {
    let counts = try epochs("09-gsv-null-fields/in.nmea").compactMap { $0.sky?.satellites.count }
    #expect(counts.contains(10), "\(counts)")
  }

  @Test("PUBX,03 with 23 satellites in 421 bytes gives the sky")
  func longSentence() throws {
    let sky = try #require(try epochs("13-pubx03/in.nmea").compactMap(\.sky).first)
    // As many as pynmeagps 1.1.8 reads.
    #expect(sky.satellites.count == 23)
    #expect(sky.satellites.filter(\.isUsed).count == 6)
  }

  @Test("PUBX,00 alone states three dimensions, with its height and vertical accuracy")
  func statedDimension() throws {
    let all = try epochs("15-pubx00-only/in.nmea")
    #expect(all.count > 3)
    for epoch in all where epoch.fix.position != nil {
      #expect(epoch.dimension == .three && epoch.fix.kind != .twoDimensional)
      let height = try #require(epoch.fix.ellipsoidalAltitudeMetres)
      #expect(abs(height - 1248) < 0.01 || abs(height - 1208.5) < 0.01, "\(height)")
      #expect(epoch.fix.verticalAccuracyMetres != nil)
    }
  }

  @Test("a height of 0.000 beside an altitude that contradicts it is not passed on")
  func floorOfHeight() throws {
    let heights = try epochs("16-pubx-hae-floor/in.nmea").compactMap {
      $0.fix.ellipsoidalAltitudeMetres
    }
    #expect(!heights.isEmpty && heights.allSatisfy { abs($0 + 19.9) < 0.01 }, "\(heights)")
  }
}

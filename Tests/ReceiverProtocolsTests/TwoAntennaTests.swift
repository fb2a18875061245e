import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The values are those that pynmeagps 1.1.8 and pyubx2 1.4.0 read.
@Suite("Headings of two antennas", .timeLimit(.minutes(30)))
struct TwoAntennaTests {
  private func reports(_ bytes: [UInt8]) -> [HeadingReport] {
    var (reader, reports) = (ReceiverReader(), [HeadingReport]())
    let start = Timestamp(nanoseconds: 1_000_000_000)
    bytes.withUnsafeBytes {
      reader.push($0, at: start) { if case .heading(let report) = $0 { reports.append(report) } }
    }
    reader.finish(at: start) { if case .heading(let report) = $0 { reports.append(report) } }
    return reports
  }

  private func report(_ body: String) -> HeadingReport? {
    reports(Array(sentence(body).utf8)).first
  }

  private static let fixed: [(String, heading: Double, pitch: Double, sigma: Double?)] = [
    ("GNHPR,091511.00,341.43,-06.25,000.00,4,25,0.00,0999", 341.43, -6.25, nil),
    ("GNTRA,120000.00,319.09,-00.01,000.00,4,40,0.00,0004", 319.09, -0.01, nil),
    ("PSTI,036,120000.000,230726,191.69,-16.35,0.00,R", 191.69, -16.35, nil),
    (
      "PQTMTAR,1,120000.000,4,,0.232800,-1.018830,0.000000,159.973900,0.003900,0.000000,0.003600,27",
      159.9739, -1.01883, 0.0036
    ),
    (
      "PTNL,AVR,120000.00,+149.4688,Yaw,+0.0134,Tilt,,,60.191,3,2.5,16", 149.4688, 0.0134, nil
    ),
    (
      "PSSN,HRP,120000.00,230726,23.455,1.954,0.0125,0.123,0.0234,0.03765,11,2,4.56453,W", 23.455,
      0.0125, 0.123
    ),
    ("PASHR,HPR,120000.00,93.21,1.50,,0.002,0.004,0,0,,1.9", 93.21, 1.5, nil),
    (
      "KSXT,20260723120000.00,10.00000000,54.00000000,3.0000,341.33,-6.25,47.00,0.01,,3,3,24,25,,,,,,",
      341.33, -6.25, nil
    ),
  ]

  @Test("each maker's sentence gives heading, pitch and accuracy, and no roll of zero")
  func sentences() throws {
    for row in Self.fixed {
      let report = try #require(self.report(row.0), "\(row.0)")
      let heading = try #require(report.trueHeading?.angle.degrees, "\(row.0)")
      #expect(abs(heading - row.heading) < 1e-6, "\(row.0)")
      #expect(abs((report.pitch?.degrees ?? 99) - row.pitch) < 1e-6, "\(row.0)")
      #expect(report.roll == nil, "\(row.0)")
      let sigma = report.headingAccuracy?.degrees
      #expect(row.sigma.map { abs((sigma ?? 99) - $0) < 1e-9 } ?? (sigma == nil), "\(row.0)")
    }
  }

  @Test("a solution that is not fixed has no direction")
  func float() {
    let quality: [(of: Int, from: String, to: String)] = [
      (0, ",4,25", ",5,25"), (1, ",4,40", ",5,40"), (2, "0.00,R", "0.00,F"),
      (3, "00.000,4,", "00.000,5,"), (4, "191,3,", "191,2,"), (5, ",11,2,", ",11,1,"),
      (6, "0.004,0,0", "0.004,2,0"), (7, ",,3,3,", ",,3,2,"),
    ]
    for (index, from, to) in quality {
      let text = Self.fixed[index].0.replacingOccurrences(of: from, with: to)
      #expect(text != Self.fixed[index].0)
      #expect(report(text)?.trueHeading == nil, "\(text)")
    }
  }

  @Test(
    "the cases of the field give their headings",
    .enabled(if: SharedData.path("data/cases") != nil, "no reference data"))
  func cases() throws {
    func headings(_ name: String) throws -> [Double] {
      reports(try #require(SharedData.bytes("data/cases/\(name)")))
        .compactMap { $0.trueHeading?.angle.degrees }
    }
    func has(_ found: [Double], _ heading: Double) -> Bool {
      found.contains { abs($0 - heading) < 0.006 }
    }
    let unicore = try headings("01-um982-heading/in.nmea")
    #expect(has(unicore, 341.33) && has(unicore, 341.43), "\(unicore)")
    let dual = try headings("03-ubx-daheading/in.ubx")
    #expect(dual.count >= 2 && dual.allSatisfy { abs($0 - 341.33) < 0.01 }, "\(dual)")
    let other = try headings("04-other-dual/in.nmea")
    for heading in [191.69, 159.9739, 149.4688, 319.09] { #expect(has(other, heading), "\(other)") }
  }
}

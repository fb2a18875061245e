import Formats
import Quantities
import ReceiverProtocols
import Testing

/// The speed in gpsd's report where the receiver sends one and the position jumps.
@Suite("Speed in a TPV report", .timeLimit(.minutes(30)))
struct ReportedSpeedTests {
  private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  /// The TPV lines of sentences.
  private func reports(_ text: String) -> [String] {
    var reader = ReceiverReader()
    var lines: [String] = []
    let now = Timestamp(nanoseconds: 0)
    func add(_ report: ReceiverReport) {
      guard case .epoch(let epoch) = report else { return }
      var line: [UInt8] = []
      GPSDReport.append(tpv: epoch, to: &line)
      lines.append(String(decoding: line, as: UTF8.self))
    }
    Array(text.utf8).withUnsafeBytes { reader.push($0, at: now, add) }
    reader.finish(at: now, add)
    return lines
  }

  /// Nine seconds at a held place and one with a jump of 5.9 m; `order` has one letter for each
  /// sentence.
  private func jump(_ order: String, vtg: String) -> String {
    var text = ""
    for second in 10..<20 {
      let place = second < 19 ? "4807.0000" : "4807.0032"
      for letter in order {
        switch letter {
        case "V": text += sentence(vtg)
        case "Z": text += sentence("GPZDA,1200\(second),15,06,2024,00,00")
        default:
          text += sentence("GPGGA,1200\(second),\(place),N,01131.0,E,1,08,0.9,100.0,M,46.9,M,,")
        }
      }
    }
    return text
  }

  @Test(
    "is that of VTG, with a course or without, also where VTG comes last",
    arguments: ["GZV", "VGZ", "GVZ"],
    ["GPVTG,10.0,T,,M,0.04,N,0.07,K,A", "GPVTG,,T,,M,0.04,N,0.07,K,A"])
  func held(order: String, vtg: String) throws {
    let last = try #require(reports(jump(order, vtg: vtg)).last)
    #expect(last.contains("120019") == false && last.contains("12:00:19"))
    #expect(last.contains("\"speed\":0.021"), "\(last)")
  }

  @Test("is that between two positions where no sentence contains one")
  func derived() throws {
    let last = try #require(reports(jump("GZ", vtg: "")).last)
    #expect(last.contains("\"speed\":5.9"), "\(last)")
  }
}

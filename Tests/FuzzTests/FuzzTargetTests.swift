import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The fuzz targets without libFuzzer. `Fuzz/run` runs them on millions of inputs, these tests on
/// the inputs of earlier findings and some thousands of random inputs.
@Suite(.timeLimit(.minutes(30))) struct FuzzTargetTests {
  /// Inputs of earlier findings, by target.
  private static let findings: [(target: FuzzTarget, name: String, bytes: [UInt8])] =
    FuzzTarget.allCases.flatMap { target in
      let folder = SharedData.repository.appendingPathComponent(
        "Fuzz/Regressions/\(target.rawValue)")
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (names ?? []).sorted().compactMap { name in
        FileManager.default.contents(atPath: folder.appendingPathComponent(name).path).map {
          (target, name, Array($0))
        }
      }
    }

  /// Checks an input and records a violation; false where there is one.
  private func check(_ input: [UInt8], with body: inout any FuzzBody, _ name: String) -> Bool {
    input.withUnsafeBytes { bytes in
      do throws(Violation) {
        try body.check(bytes)
        body.accumulate(bytes)
        return true
      } catch {
        Issue.record("\(name): \(error)")
        return false
      }
    }
  }

  @Test("The inputs of earlier findings violate no invariant")
  func regressions() {
    #expect(Self.findings.count >= 5)
    for (target, name, bytes) in Self.findings {
      var body = target.body()
      _ = check(bytes, with: &body, "\(target.rawValue)/\(name)")
    }
  }

  @Test("Random inputs violate no invariant", arguments: FuzzTarget.allCases)
  func random(target: FuzzTarget) {
    var source = RandomInputs(seed: 20_261_121)
    var body = target.body()
    for number in 0..<(target == .boardFile ? 500 : 3000) {
      let input = source.next()
      if !check(input, with: &body, "\(target.rawValue) input \(number): \(input)") { return }
    }
  }

  // Values from gpsd's and u-blox's documents, not from this program.
  @Test("Repaired frames have the checksums of the documents")
  func repair() {
    let ack: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]
    let rtcm3: [UInt8] = [
      0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
      0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]
    let sentence = Array("$GPHDT,274.07,T*03".utf8)
    for (right, sums) in [(ack, 2), (rtcm3, 3), (sentence, 2)] {
      var bytes = right.dropLast(sums) + [UInt8](repeating: 0, count: sums)
      bytes.withUnsafeMutableBufferPointer { ChecksumRepair.repair($0) }
      #expect(Array(bytes) == right)
    }
  }
}

/// Random streams like those of a receiver: noise, sentences and frames, complete or not, with
/// valid or invalid checksums.
private struct RandomInputs {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let words = [
    "$GPGGA,", "$GNRMC,", "$GPGLL,", "$GPVTG,", "$GPZDA,", "$GPGSA,A,3,", "$GPGSV,1,1,", "$HCHDG,",
    "$GPGST,", "$@", "#BESTPOSA,COM1,0,0,FINE,2190,1,0,0,0;SOL_COMPUTED,", "+CGPSINFO: ",
    "*00000000", ",", ",,,", "*00\r\n", "A,", "V,", "4500.0,N,00500.0,E,", "120000,", "235960,",
    "-1.5,", "999999999999999999.9,", "31,12,9999,", "t,gx,gy,gz\n", "t,mx,my,mz\n0,1,2,3\n",
    "board: x\n", "sensors:\n", "  - {chip: LIS3MDL}\n", "&a [*a]\n", "\u{B5}", "{", "\"", ": ",
    "{\"type\":\"monitor\",\"id\":1,\"body\":{\"startVisits\":{}}}\n",
    "{\"type\":\"lease\",\"body\":true}\n",
    "{\"type\":\"estimate\",\"body\":{\"timestamp\":1}}\n", "{\"type\":\"", "default: ask\n",
    "mode: 0660\n", "GET /a?b HTTP/1.1\r\n", "POST / HTTP/1.0\r\n", "Host: a\r\n", "\r\n",
    "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\u{1}\u{5}\0\0\0\0", "Connection: close\r\n",
    "most-clients: 1:1:1:1:1:1:1:1:1:1:1:1\n", "{\"regions\": [",
    "$PAIR001,051,0*", "$PAIR063,0,1*", "$PMTK001,314,3*", "$PMTK500,200*",
    "$PQTMCFGSVIN,OK,1,60,1,0,0,0*",
    "$command,MASK,response: OK*", "$CONFIG,MASK,MASK 5.0*", "#MODE,97;MODE BASE TIME 60,*",
    "<LOGLIST COM2 0\n", "{\"softIron\": [[1,0,0],[0,1,0],[0,0,1]],",
  ]

  mutating func next() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...24, using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
          bytes.append(UInt8.random(in: 0...255, using: &generator))
        }
      case 1:
        let length = UInt8.random(in: 0...40, using: &generator)
        bytes +=
          [0xB5, 0x62, 0x01, 0x07, length, 0] + [UInt8](repeating: 7, count: Int(length) + 2)
      case 2:
        let length = UInt8.random(in: 0...40, using: &generator)
        bytes += [0xD3, 0x00, length] + [UInt8](repeating: 7, count: Int(length) + 3)
      default:
        bytes += Self.words[Int.random(in: 0..<Self.words.count, using: &generator)].utf8
      }
    }
    if Bool.random(using: &generator) {
      bytes.withUnsafeMutableBufferPointer { ChecksumRepair.repair($0) }
    }
    return bytes
  }
}

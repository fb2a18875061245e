import Foundation
import Quantities
import Storage
import Testing

@Suite("Calibration profiles", .timeLimit(.minutes(30)))
struct ProfileFormatTests {
  private func read(_ text: String, isChecked: Bool = true) throws -> CalibrationProfile {
    try CalibrationProfile(json: Array(text.utf8), isChecked: isChecked)
  }

  private func refusal(_ bytes: [UInt8], isChecked: Bool = false) -> String? {
    do {
      _ = try CalibrationProfile(json: bytes, isChecked: isChecked)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("every field is read back unchanged, and is written as the same text")
  func roundTrip() throws {
    for profile in [Fixtures.small(), Fixtures.full()] {
      let again = try read(profile.json)
      #expect(again == profile)
      #expect(again.json == profile.json)
    }
  }

  @Test("a profile is a plain calibration file for any JSON reader")
  func plain() throws {
    let text = Fixtures.full().json
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["hardIron"] as? [Double] == [12.5, -3, 40.1])
    #expect(object["softIron"] as? [[Double]] == [[1.1, 0, 0.01], [0, 0.9, 0], [0.01, 0, 1]])
    #expect(object["quality"] as? String == "fair")
    #expect(abs((object["residual_uT"] as? Double ?? 0) - 0.3) < 1e-12)
    #expect(object["mount"] as? String == "forward,left,up")
    #expect(object["made"] as? String == "2026-11-21T16:32:30.125Z")
    #expect(
      (object["distortionCovariance"] as? [[Double]])?.map(\.count)
        == Array(repeating: 12, count: 12))
    #expect(
      try withFile(text) { try MagnetometerCalibration(path: $0) }
        == Fixtures.full().result.calibration)
  }

  @Test("layout, order of keys and spelling of numbers do not change the checksum")
  func canonical() throws {
    let text = Fixtures.full().json
    let spaced = text.replacingOccurrences(of: "\n", with: "\r\n\t").replacingOccurrences(
      of: "\"hardIron\": [12.5, -3, 40.1]", with: "\"hardIron\":[1.25E+1,-3.0,40.10]")
    #expect(spaced.contains("1.25E+1"))
    #expect(try read(spaced) == Fixtures.full())
  }

  @Test("the checksum is CRC-32C: '123456789' gives the published check value")
  func checksum() {
    // RFC 3720, B.4 gives the 32 zeros; the nine digits are the usual check value.
    #expect(CRC32C.text("123456789".utf8) == "e3069283")
    #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
  }

  @Test(
    "a newer minor version's keys are written again; a newer version is refused with its number")
  func versions() throws {
    let text = Fixtures.small().json
    let minor = try Fixtures.forged(
      text, "\"minorVersion\": 0,", "\"minorVersion\": 9, \"tilt\": {\"a\": [1, {}]},")
    let read = try CalibrationProfile(json: minor, isChecked: false)
    #expect(read.json.contains("\"tilt\"") && read.json.contains("\"minorVersion\": 9"))
    #expect(try self.read(read.json).unknownKeys == read.unknownKeys)
    // A record is a valid profile with one key more.
    let record = try self.read(read.record)
    #expect(record.unknownKeys["time"] == .text(read.made.recordText))
    #expect(record.result == read.result && record.made == read.made)
    // Even with a wrong checksum: a newer version may compute it differently.
    let major = try Fixtures.forged(text, "\"version\": 1,", "\"version\": 2,")
    let reason = try #require(refusal(major, isChecked: true))
    #expect(reason.contains("version 2") && reason.contains("1 and older"))
  }

  @Test(
    "implausible values are refused by name",
    arguments: [
      ("[12.5, -3, 40.1]", "[12.5, -3]", "'hardIron' does not hold three numbers"),
      ("[12.5, -3, 40.1]", "[12.5, -3, 200000]", "'hardIron' holds 200000.0 uT"),
      ("[12.5, -3, 40.1]", "[12.5, -3, 1e999]", "beyond all range"),
      ("[12.5, -3, 40.1]", "[12.5, -3, null]", "'hardIron' has the wrong type"),
      ("[1.1, 0, 0.01]", "[0.001, 0, 0.01]", "'softIron' has determinant"),
      ("[1.1, 0, 0.01]", "[-1.1, 0, 0.01]", "'mount' is not mirrored"),
      ("\"forward,left,up\"", "\"forward,left,left\"", "'mount'"),
      ("\"coverage\": 0.6666", "\"coverage\": 1.6666", "'coverage'"),
      ("\"inlierShare\": 0.97", "\"inlierShare\": -1", "'inlierShare'"),
      ("\"observationCount\": 412", "\"observationCount\": 4.5", "whole number"),
      ("\"latitude_deg\": ", "\"latitude_deg\": 9", "'conditions.latitude_deg'"),
      ("\"modelDip_deg\": 67", "\"modelDip_deg\": 37", "'conditions.modelDip_deg'"),
      ("\"modelDown_uT\": 45.2,", "", "'conditions.modelDown_uT' is missing"),
      ("\"0x1e\"", "\"30\"", "'sensor.address'"),
      ("\"origin\": \"guided\"", "\"origin\": \"guessed\"", "'guessed'"),
      ("\"quality\": \"fair\"", "\"quality\": \"superb\"", "superb"),
      ("T16:", "T36:", "'made'"),
      ("\"scale\": [1, 1.002, 0.99]", "\"scale\": [1, 1.002, 0]", "'gyroscope.scale'"),
      ("\"unit\": \"A\"", "\"unit\": \"\"", "'loads[0].unit' is empty"),
      ("[\n    [0.011,", "[\n    [-0.011,", "negative variance in row 1"),
      ("[\n    [0.011, 0.0005", "[\n    [0.011, 0.0006", "row 2, column 1"),
      ("\"board\": \"Sense HAT\",", "", "'board' is missing"),
      ("\"format\": \"lodestar-calibration\"", "\"format\": \"x\"", "'x'"),
      ("\"format\": \"lodestar-calibration\",", "", "'format' is missing"),
      ("\"latency_s\"", "\"hardIron\"", "duplicate name"),
    ])
  func sanity(old: String, new: String, reason: String) throws {
    let bytes = try Fixtures.forged(Fixtures.full().json, old, new)
    let found = try #require(refusal(bytes))
    #expect(found.contains(reason), "\(found)")
  }

  @Test("the calibration of a mirrored sensor may mirror")
  func mirrored() throws {
    var profile = Fixtures.small()
    profile.result.softIron.r0 *= -1
    #expect(refusal(Array(profile.json.utf8))?.contains("mirrors") == true)
    profile.result.mount = SensorMount(text: "forward,right,up")
    #expect(profile.result.mount?.isMirrored == true && profile.result.mount?.axisMount == nil)
    #expect(try read(profile.json) == profile)
  }

  @Test(
    "a profile with a wrong checksum is accepted only unchecked, and the error names the option")
  func unchecked() throws {
    let text = Fixtures.small().json.replacingOccurrences(of: "12.5", with: "12.25")
    let bytes = Array(text.utf8)
    let reason = try #require(refusal(bytes, isChecked: true))
    #expect(reason.contains("damaged") && reason.contains("lodestar calibrate import --unchecked"))
    #expect(
      try CalibrationProfile(json: bytes, isChecked: false).result.hardIronMicrotesla.x == 12.25)
  }

  @Test(
    "invalid JSON is reported with line and column",
    arguments: [
      ("", "line 1, column 1"), ("{\n \"a\": 01}", "line 2, column 8"), ("{\"a\" 1}", "':'"),
      ("{} x", "follows the end"), ("{\"a\": \"\\ud800\"}", "surrogate"), ("[1, 2", "too early"),
      ("{\"a\": tru}", "word"), ("{\"a\": .5}", "a value or a digit"),
      ("{\"a\": \"\t\"}", "control"),
      (String(repeating: "[", count: 100_000), "too deeply"),
    ])
  func brokenJSON(text: String, reason: String) {
    #expect(
      refusal(Array(text.utf8))?.contains(reason) == true, "\(refusal(Array(text.utf8)) ?? "")")
  }

  @Test("text that is not UTF-8 is refused")
  func notUTF8() {
    #expect(refusal([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])?.contains("UTF-8") == true)
  }
}

import Foundation
import Quantities
import Storage
import Testing

@Suite("What a receiver is given at its next start", .timeLimit(.minutes(30)))
struct ReceiverAidTests {
  private static let begin = UTCTime(nanosecondsSince1970: 1_790_000_000_000_000_000)

  private static func aid() -> ReceiverAid {
    var aid = ReceiverAid()
    aid.place = ReceiverAid.Place(
      GeodeticPosition(latitudeDegrees: -33.25, longitudeDegrees: 151.500_000_1),
      heightMetres: -12.5, accuracyMetres: 3, utc: begin)
    aid.orbits = ReceiverAid.Orbits(
      receiver: "0123456789 EXT CORE 4.04", utc: begin,
      entries: [[0, 1, 254, 255], Array(0..<164)])
    return aid
  }

  @Test("is read as it was written")
  func roundTrip() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/aid-\(UUID())"
    defer { do { try FileManager.default.removeItem(atPath: folder) } catch { _ = error } }
    let file = ReceiverAidFile(port: "/dev/serial0", in: folder)
    #expect(try file.read { _ in } == nil)
    for aid in [Self.aid(), ReceiverAid()] {
      try file.write(aid)
      #expect(try file.read { Issue.record("\($0)") } == aid)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(file.path != ReceiverAidFile(port: "/dev-serial0", in: folder).path)
  }

  @Test("a changed, cut or foreign file is refused and renamed")
  func damaged() throws {
    let text = ReceiverAidFile.text(Self.aid())
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(ReceiverAidFile.aid(String(decoding: changed, as: UTF8.self)) == nil, "\(index)")
      #expect(ReceiverAidFile.aid(String(decoding: bytes[..<index], as: UTF8.self)) == nil)
    }
    #expect(ReceiverAidFile.aid(text + text) == nil && ReceiverAidFile.aid("{}") == nil)

    let folder = FileManager.default.temporaryDirectory.path + "/aid-\(UUID())"
    defer { do { try FileManager.default.removeItem(atPath: folder) } catch { _ = error } }
    let file = ReceiverAidFile(port: "/dev/serial0", in: folder)
    try file.write(Self.aid())
    try Data(bytes.dropLast(20)).write(to: URL(fileURLWithPath: file.path))
    var reports: [String] = []
    #expect(try file.read { reports.append($0) } == nil)
    #expect(reports.count == 1 && reports.first?.contains("damaged") == true)
    #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
  }

  @Test("the place becomes less accurate with its age, and is dropped when it does not help")
  func place() throws {
    let aid = Self.aid()
    func accuracy(after seconds: Double) -> Double? {
      aid.usable(at: Self.begin.advanced(bySeconds: seconds), by: nil).place?.accuracyMetres
    }
    #expect(accuracy(after: 0) == 3)
    // 3 m and 4 m.
    #expect(accuracy(after: 0.4) == 5)
    let hour = try #require(accuracy(after: 3600))
    #expect(abs(hour - 36_000) < 1)
    #expect(accuracy(after: 8 * 3600) != nil && accuracy(after: 9 * 3600) == nil)
    // The clock is wrong.
    #expect(accuracy(after: -1) == nil)
  }

  @Test("orbits are of one receiver with its firmware, and at most six days old")
  func orbits() {
    let aid = Self.aid()
    func isUsable(after days: Double, by receiver: String? = "0123456789 EXT CORE 4.04") -> Bool {
      aid.usable(at: Self.begin.advanced(bySeconds: days * 86_400), by: receiver).orbits != nil
    }
    #expect(isUsable(after: 0) && isUsable(after: 5.9))
    #expect(!isUsable(after: 6.1) && !isUsable(after: -0.1))
    #expect(!isUsable(after: 1, by: "0123456789 EXT CORE 4.05"))
    #expect(!isUsable(after: 1, by: "0123456780 EXT CORE 4.04") && !isUsable(after: 1, by: nil))
  }
}

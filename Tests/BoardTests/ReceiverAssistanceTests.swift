import Board
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import ReceiverProtocols
import Simulation
import Storage
import TestSupport
import Testing

/// The receiver's own thread on a terminal of the kernel, with an emulated receiver that starts
/// cold at its other end.
@Suite("Assistance of a starting receiver", .serialized, .timeLimit(.minutes(30)))
struct ReceiverAssistanceTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_790_000_000_000_000_000)
  private static let entries: [[UInt8]] = (0..<12).map { [UInt8](repeating: $0, count: 60) }
  private static let chip = "102030405 EXT CORE 4.04 (7f89f7)"

  /// Runs a board with one receiver until its first fix.
  private func run(
    _ port: EmulatedReceiverPort<EmulatedUBloxReceiver>, folder: String, at now: UTCTime? = now,
    assists: Bool? = true,
    until isDone: @escaping (BoardStatus) -> Bool
  ) throws -> BoardStatus {
    var receiver = Board.Receiver(port: port.path, baud: 9600)
    receiver.assists = assists
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", receiver: receiver)
    configuration.receiverAid = ReceiverAidSettings(folder: folder) {
      now.map { (utc: $0, errorSeconds: 0.1) }
    }
    let player = try EstimatePlayer(attached: configuration, hardware: LinuxHardware())
    player.start()
    defer { player.stop() }
    #expect(eventually { player.boardStatus.map(isDone) ?? false })
    return try #require(player.boardStatus)
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/aid-\(UUID())"
    defer { do { try FileManager.default.removeItem(atPath: folder) } catch { _ = error } }
    try body(folder)
  }

  private func stored(_ receiver: String = chip, age seconds: Double = 600) -> ReceiverAid {
    let utc = Self.now.advanced(bySeconds: -seconds)
    var aid = ReceiverAid()
    aid.place = ReceiverAid.Place(
      GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8), heightMetres: 400,
      accuracyMetres: 5, utc: utc)
    aid.orbits = ReceiverAid.Orbits(receiver: receiver, utc: utc, entries: Self.entries)
    return aid
  }

  private func port(cold: Double = 3600, aided: Double = 0.1) throws -> EmulatedReceiverPort<
    EmulatedUBloxReceiver
  > {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.start = (cold, aided)
    receiver.database = Self.entries
    return try EmulatedReceiverPort(receiver)
  }

  @Test("stored time, place and orbits bring the first fix, which is measured")
  func given() throws {
    try withFolder { folder in
      let port = try port()
      defer { port.stop() }
      try ReceiverAidFile(port: port.path, in: folder).write(stored())
      let status = try run(port, folder: folder) {
        $0.firstFix != nil && $0.assistance != nil
      }
      #expect(status.firstFix?.isAssisted == true && status.firstFix?.begin == .firstByte)
      #expect(
        status.assistance?.hasPrefix("given to the receiver: the time, the last place") == true)
      #expect(status.assistance?.hasSuffix("14 used") == true, "\(status.assistance ?? "")")
      let aid = port.now.aid
      #expect(aid.map(\.number) == [0x40, 0x40] + [UInt8](repeating: 0x80, count: 12))
      #expect(aid.dropFirst(2).map(\.payload) == Self.entries)
      // 6 km after ten minutes: the place's accuracy in centimetres.
      let accuracy = aid[1].payload[16...].reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect((600_000...600_001).contains(accuracy))
      #expect(status.hasReceiverFix == true && status.fixLoss == nil)
    }
  }

  @Test("orbits of another receiver and old ones are not given")
  func refused() throws {
    for aid in [stored("999 EXT CORE 4.04 (7f89f7)"), stored(age: 7 * 86_400)] {
      try withFolder { folder in
        let port = try port(cold: 3600)
        defer { port.stop() }
        try ReceiverAidFile(port: port.path, in: folder).write(aid)
        let status = try run(port, folder: folder) { $0.assistance != nil }
        #expect(port.now.aid.allSatisfy { $0.number == 0x40 }, "\(status.assistance ?? "")")
        #expect(port.now.aid.first?.payload.first == 0x10)
        #expect(status.firstFix == nil && status.fixLoss?.cause == .fewSatellites)
        #expect(status.fixLoss?.satellites == 1)
      }
    }
  }

  @Test("a clock that is not believed gives nothing; one before the stored state only the time")
  func clock() throws {
    try withFolder { folder in
      let port = try port()
      defer { port.stop() }
      try ReceiverAidFile(port: port.path, in: folder).write(stored())
      // Each second an epoch: longer than the first one is awaited.
      let status = try run(port, folder: folder, at: nil) { $0.receiverEpochs >= 6 }
      #expect(port.now.aid.isEmpty && status.assistance == nil && status.firstFix == nil)
    }
    try withFolder { folder in
      let port = try port()
      defer { port.stop() }
      try ReceiverAidFile(port: port.path, in: folder).write(stored())
      let early = Self.now.advanced(bySeconds: -3600)
      _ = try run(port, folder: folder, at: early) { $0.assistance != nil }
      #expect(port.now.aid.map { $0.payload.first } == [0x10])
    }
  }

  @Test("the last place is stored at the end")
  func storesPlace() throws {
    try withFolder { folder in
      let port = try port(cold: 1)
      defer { port.stop() }
      _ = try run(port, folder: folder) { $0.hasReceiverFix == true }
      let aid = try ReceiverAidFile(port: port.path, in: folder).read { Issue.record("\($0)") }
      // The emulated receiver's place.
      let place = try #require(aid?.place)
      #expect(abs(place.position.latitude.degrees - 47.285_238_3) < 1e-6)
    }
  }

  @Test("a damaged file is reported, and the receiver starts without aid")
  func damaged() throws {
    try withFolder { folder in
      let port = try port(cold: 1)
      defer { port.stop() }
      let file = ReceiverAidFile(port: port.path, in: folder)
      try file.write(stored())
      try Data(ReceiverAidFile.text(stored()).utf8.dropLast(3)).write(
        to: URL(fileURLWithPath: file.path))
      let status = try run(port, folder: folder) { $0.hasReceiverFix == true }
      #expect(status.assistance?.contains("orbits") != true)
      #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
    }
  }

  @Test("nothing is sent to a receiver that is neither set up nor sends UBX, or with 'assist: no'")
  func off() throws {
    for assists in [nil, false] {
      try withFolder { folder in
        let port = try port(cold: 1)
        defer { port.stop() }
        try ReceiverAidFile(port: port.path, in: folder).write(stored())
        _ = try run(port, folder: folder, assists: assists) { $0.hasReceiverFix == true }
        #expect(port.heard == 0)
      }
    }
  }
}

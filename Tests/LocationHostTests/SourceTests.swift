import Board
import Formats
import Foundation
import LocationHost
import Pipeline
import Quantities
import Recording
import TestSupport
import Testing

@Suite("Sources of estimates", .timeLimit(.minutes(30)))
struct SourceTests {
  @Test("the environment variable selects the source")
  func environment() throws {
    #expect(try SourceChoice(environment: nil) == .attached)
    #expect(try SourceChoice(environment: "simulate") == .simulation)
    #expect(try SourceChoice(environment: "replay:/a b.csv") == .replay(path: "/a b.csv"))
    #expect(throws: SourceError.unknownChoice("demo")) { try SourceChoice(environment: "demo") }
  }

  @Test(
    "the error of an unreadable board says what is missing",
    .enabled(if: AttachedHardware.isAbsent, "this machine has a bus or a receiver"))
  func attached() {
    var caught: SourceError?
    do { _ = try SourceChoice.attached.open() } catch { caught = error }
    guard case .noSensors = caught else {
      Issue.record("opened")
      return
    }
    #expect("\(String(describing: caught))".contains("no sensor found: "))
  }

  @Test("the simulated board publishes labelled estimates until it is released")
  func simulation() async throws {
    var player: EstimatePlayer? = try SourceChoice.simulation.open()
    let seen = Counter()
    let observation = player?.observe { estimate in
      #expect(estimate.isSimulated)
      seen.increment()
    }
    player?.start()
    for _ in 0..<200 where seen.value < 5 { try await Task.sleep(nanoseconds: 20_000_000) }
    #expect(seen.value >= 5)
    #expect(player?.latest != nil)
    player = nil
    try await Task.sleep(nanoseconds: 300_000_000)
    let after = seen.value
    try await Task.sleep(nanoseconds: 200_000_000)
    #expect(seen.value == after)
    observation?.cancel()
  }

  @Test("a simulated estimate is not from the future")
  func simulatedTime() throws {
    let player = try SourceChoice.simulation.open()
    let ahead = Collected<Double>()
    let observation = player.observe { estimate in
      guard let utc = estimate.utc else { return }
      ahead.add(utc.secondsSince1970 - Date().timeIntervalSince1970)
    }
    player.start()
    // Past the first fixes, which bring the receiver's time.
    #expect(eventually { ahead.all.count > 130 })
    player.stop()
    // A row is played up to 2 ms early.
    #expect((ahead.all.max() ?? 1) < 0.01)
    observation.cancel()
  }

  @Test(
    "a file that is no recording is refused with what would be one", arguments: ["swift", "bin"])
  func noRecording(ending: String) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).\(ending)")
    try Data("import CoreLocation\nprint(\"$5 and more\")\n".utf8).write(to: url)
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    var caught: SourceError?
    do { _ = try SourceChoice.replay(path: url.path).open() } catch { caught = error }
    #expect(caught.map { "\($0)" }?.contains("it has no receiver message") == true)
  }

  @Test("of rows that are read together the last one makes the estimate, 50 a second on average")
  func groups() throws {
    let player = EstimatePlayer(
      rows: GroupedRows(), pipeline: PipelineConfiguration(), hasMagnetometer: false,
      hasReceiver: false)
    let seen = Collected<UInt64>()
    let observation = player.observe { seen.add($0.timestamp.nanoseconds / 1_000_000) }
    player.start()
    #expect(eventually { player.end == .complete })
    // Groups of rows at 1 to 6, 8 to 13 ... ms are read at 6, 13 ... ms.
    #expect(seen.all.allSatisfy { $0 % 7 == 6 })
    #expect((50...52).contains(seen.all.count))
    observation.cancel()
  }

  @Test("a recording with a fault plays the rows before it and then reports it")
  func fault() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    try Data("t,mx,my,mz\n0,20,0,-40\n0.05,20,0,-40\n0.1,x,0,0\n".utf8).write(to: url)
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    let player = try SourceChoice.replay(path: url.path).open()
    let headings = Collected<Bool>()
    let observation = player.observe { headings.add($0.magneticHeading != nil) }
    defer { observation.cancel() }
    player.start()
    for _ in 0..<200 where player.end == nil { try await Task.sleep(nanoseconds: 20_000_000) }
    guard case .fault(.malformed(_, let line, let column, _, _)) = player.end else {
      Issue.record("no fault")
      return
    }
    #expect(line == 4 && column == "mx")
    // What ends is published too, without a heading.
    #expect(headings.all.contains(true))
  }

  @Test("a recording gives the same estimates without delays, and of them fewer where it is faster")
  func pace() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    var text = "t,mx,my,mz,lat,lon,alt,hacc\n"
    for step in 0...100 {
      let field = "\(Double(step) * 0.01),\(20 + step % 7),\(step % 5),-40"
      text += field + (step % 20 == 10 ? ",48,\(11 + Double(step) * 1e-6),500,5\n" : ",,,,\n")
    }
    try Data(text.utf8).write(to: url)
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    /// Instant, heading and the fix's instant of each estimate.
    func estimates(pace: Double) throws -> [[Double?]] {
      let player = try SourceChoice.replay(path: url.path).open(pace: pace)
      let seen = Collected<[Double?]>()
      let observation = player.observe {
        seen.add([
          Double($0.timestamp.nanoseconds), $0.magneticHeading?.angle.radians,
          $0.fixTimestamp.map { Double($0.nanoseconds) },
        ])
      }
      player.start()
      #expect(eventually { player.end == .complete })
      player.stop()
      observation.cancel()
      return seen.all.filter { $0[1] != nil }
    }
    let real = try estimates(pace: 1)
    #expect(real.count > 50)
    #expect(try estimates(pace: 0) == real)
    let fast = try estimates(pace: 10)
    #expect((5...20).contains(fast.count))
    #expect(fast.allSatisfy(real.contains))
    #expect(Set(fast.map { $0[2] }) == Set(real.map { $0[2] }), "each fix is published")
  }

  @Test("a receiver's clock never runs backwards, with any dates")
  func receiverClock() throws {
    func rmc(_ time: String, _ date: String) -> String {
      let body = "GPRMC,\(time),A,5742.0,N,01158.0,E,3.0,90.0,\(date),,,A"
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
    }
    let text =
      rmc("120000", "010626") + rmc("120001", "010626") + rmc("115900", "010626")
      + rmc("115901", "010120") + rmc("115902", "010120")
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).log")
    try Data(text.utf8).write(to: url)
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    var recording = try OpenedRecording(path: url.path)
    var times: [Double] = []
    while let row = try recording.next() { times.append(row.timestamp.seconds) }
    #expect(times == [0, 1, 2, 3, 4])
  }
}

/// Counts from any thread.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  func increment() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}

/// A second of rows in groups of six, which are read together every seven milliseconds.
private struct GroupedRows: SampleSource {
  private var number = 0

  var hasRow: Bool { number % 6 != 0 }
  var readTime: Timestamp? { milliseconds(UInt64((number - 1) / 6 * 7 + 6)) }

  mutating func next() throws(RecordingError) -> SensorSamples? {
    guard number < 143 * 6 else { return nil }
    number += 1
    return SensorSamples(
      timestamp: milliseconds(UInt64((number - 1) / 6 * 7 + (number - 1) % 6 + 1)))
  }

  private func milliseconds(_ count: UInt64) -> Timestamp {
    Timestamp(nanoseconds: count * 1_000_000)
  }
}

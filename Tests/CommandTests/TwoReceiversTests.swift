import Foundation
import LinuxIO
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// A receiver that moves north at 4 m/s and sends RMC and GGA each second. Its longitude, dilution
/// and satellites tell in every output whose values they are.
private struct MovingReceiver: EmulatedReceiver {
  enum Fault: CaseIterable { case silent, frozen, jumps }

  let baud = 9600
  let longitudeMinutes: Double
  let dilution: Double
  let satellites: Int
  var fault: Fault?
  private var second = -1
  private var frozen: [UInt8]?

  init(longitudeMinutes: Double, dilution: Double, satellites: Int) {
    self.longitudeMinutes = longitudeMinutes
    (self.dilution, self.satellites) = (dilution, satellites)
  }

  mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] { [] }

  mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? {
    guard seconds >= Double(second + 1) else { return nil }
    second += 1
    switch fault {
    case .silent: return nil
    case .frozen:
      let bytes = frozen ?? sentences(0)
      frozen = bytes
      return (bytes, baud)
    case .jumps: return (sentences(second % 2 == 0 ? 0 : 3), baud)
    case nil: return (sentences(0), baud)
    }
  }

  /// The sentences of the present time.
  private func sentences(_ offsetMinutes: Double) -> [UInt8] {
    let now = Date()
    func text(_ format: String) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = format
      return formatter.string(from: now)
    }
    // 4 m/s are 0.00216 minutes of latitude a second.
    let minutes = 10 + Double(second) * 0.00216 + offsetMinutes
    let place = String(format: "54%08.5f,N,010%08.5f,E", minutes, longitudeMinutes)
    return [
      "GPRMC,\(text("HHmmss")).00,A,\(place),7.78,0.0,\(text("ddMMyy")),,,A",
      "GPGGA,\(text("HHmmss")).00,\(place),1,\(satellites),\(dilution),3.0,M,45.0,M,,",
    ].flatMap { body -> [UInt8] in
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      return Array("$\(body)*\(String(format: "%02X", sum))\r\n".utf8)
    }
  }
}

/// The object of a line; nil where it is none.
private func jsonObject(_ line: some StringProtocol) -> [String: Any]? {
  do {
    return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
  } catch {
    return nil
  }
}

/// A client of a TCP port: the lines that have come.
private final class LineClient {
  private let stream: StreamSocket
  private var waiting: [UInt8] = []
  private(set) var lines: [String] = []

  init(port: Int, sending request: String) throws {
    let deadline = MonotonicClock.now.advanced(bySeconds: 10)
    stream = try StreamSocket(host: "127.0.0.1", port: port, until: deadline)
    try stream.write(Array(request.utf8), until: deadline)
  }

  /// Reads what has come.
  func read() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    do {
      while true {
        let count = try stream.read(into: &bytes)
        if count == 0 { break }
        waiting += bytes[..<count]
      }
    } catch {
      // The end: what has come counts.
    }
    while let end = waiting.firstIndex(of: 10) {
      lines.append(String(decoding: waiting[..<end], as: UTF8.self))
      waiting.removeFirst(end + 1)
    }
  }

  /// All that has come.
  var text: String { lines.joined(separator: "\n") + String(decoding: waiting, as: UTF8.self) }

  /// The objects of a class of gpsd.
  func objects(_ name: String) -> [[String: Any]] {
    lines.compactMap { line in
      let object = jsonObject(line)
      return object?["class"] as? String == name ? object : nil
    }
  }
}

/// The built program with two receivers on emulated ports, of which one fails.
@Suite("Two receivers", .serialized, .timeLimit(.minutes(30)))
struct TwoReceiversTests {
  /// Two ports and the board file that has them.
  private final class Ports {
    let mast: EmulatedReceiverPort<MovingReceiver>
    let cabin: EmulatedReceiverPort<MovingReceiver>
    let board: String

    init(in folder: String) throws {
      mast = try EmulatedReceiverPort(
        MovingReceiver(longitudeMinutes: 0, dilution: 0.9, satellites: 10))
      cabin = try EmulatedReceiverPort(
        MovingReceiver(longitudeMinutes: 0.06, dilution: 2.4, satellites: 6))
      board = folder + "/board.yaml"
      let text = """
        board: B
        receiver:
          - {port: \(mast.path), name: mast, baud: 9600, set-up: no}
          - {port: \(cabin.path), name: cabin, baud: 9600, set-up: no}

        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: board))
    }

    deinit {
      mast.stop()
      cabin.stop()
    }
  }

  private static func freePort() throws -> Int { Int(try ScriptedServer { _, _ in }.port) }

  private static func isOfMast(_ longitude: Double) -> Bool { longitude < 10.0005 }

  @Test(
    "one that is silent, frozen or jumps is replaced and named, and nothing is joined",
    arguments: [MovingReceiver.Fault.silent, .frozen, .jumps])
  fileprivate func served(fault: MovingReceiver.Fault) throws {
    let place = try Place()
    let ports = try Ports(in: place.folder)
    let (gpsd, http) = (try Self.freePort(), try Self.freePort())
    let daemon = try place.daemon([
      "--board", ports.board, "--gpsd-port", "\(gpsd)", "--http-port", "\(http)",
    ])
    let client = try LineClient(
      port: gpsd, sending: "?WATCH={\"enable\":true,\"json\":true};\n")
    func newest() -> Double? {
      client.read()
      return client.objects("TPV").last?["lon"] as? Double
    }
    // The first one that has a fix is used for some seconds.
    #expect(eventually(within: 60) { newest().map(Self.isOfMast) == true }, "\(daemon.errors)")
    // The more accurate one is used, also after it has run for some time.
    #expect(eventually { newest() != nil && client.objects("TPV").count > 4 })
    ports.mast.change { $0.fault = fault }
    #expect(
      eventually(within: 60) { newest().map { !Self.isOfMast($0) } == true }, "\(daemon.errors)")
    let notice = "positions now come from cabin, before from mast"
    #expect(eventually { daemon.errors.contains(notice) })
    let reason =
      switch fault {
      case .silent: "sends nothing"
      case .frozen: "frozen: its time stands still"
      case .jumps: "jumps"
      }
    // The status of HTTP, which the web page shows.
    var status = ""
    #expect(
      eventually {
        do {
          let request = try LineClient(
            port: http,
            sending: "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          )
          _ = eventually(within: 5) {
            request.read()
            return request.text.hasSuffix("}")
          }
          status = request.text
        } catch {
          status = "\(error)"
        }
        return status.contains("\"name\":\"mast\"") && status.contains(reason)
      }, "\(status)")
    let doctor = try lodestar.run(
      ["doctor", "--live", "--board", ports.board, "--format", "json"],
      environment: place.environment)
    #expect(doctor.text.contains("mast") && doctor.text.contains(reason), "\(doctor.text)")
    // A position has the accuracy of its own receiver: dilution times one range error.
    client.read()
    let pairs = client.objects("TPV").compactMap { tpv -> (isOfMast: Bool, error: Double)? in
      guard let longitude = tpv["lon"] as? Double, let error = tpv["eph"] as? Double else {
        return nil
      }
      return (Self.isOfMast(longitude), error)
    }
    // While a receiver is silent its accuracy grows: the least is the stated one.
    let mast = pairs.filter(\.isOfMast).map(\.error).min() ?? .nan
    let cabin = pairs.filter { !$0.isOfMast }.map(\.error).min() ?? .nan
    #expect(abs(cabin / mast - 2.4 / 0.9) < 0.05, "\(mast) \(cabin)")
    #expect(daemon.end(SIGTERM) == 0)
  }

  @Test("'location --status' has both, and names the silent one")
  func status() throws {
    let folder = try TemporaryFolder()
    let ports = try Ports(in: folder.path)
    let program = try RunningProgram(
      lodestar, ["location", "--board", ports.board, "--status", "--format", "json"],
      environment: ["LODESTAR_SOCKET": "none"])
    #expect(eventually { program.errors.contains("\"isUsed\":true") }, "\(program.errors)")
    ports.mast.change { $0.fault = .silent }
    func receivers() -> [[String: Any]] {
      let line = program.errors.split(separator: "\n").last {
        $0.hasPrefix("{") && $0.hasSuffix("}")
      }
      return jsonObject(line ?? "")?["receivers"] as? [[String: Any]] ?? []
    }
    #expect(
      eventually(within: 60) {
        let both = receivers()
        return both.count == 2 && both[0]["isUsed"] as? Bool == false
          && both[1]["isUsed"] as? Bool == true && both[0]["lack"] as? String != nil
      }, "\(program.errors.suffix(3000))")
    let mast = try #require(receivers().first)
    #expect((mast["lack"] as? String)?.contains("no data for 10 s") == true)
    program.end(SIGTERM)
  }
}

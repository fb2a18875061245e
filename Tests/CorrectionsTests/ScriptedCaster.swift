import Configuration
import Corrections
import Foundation
import LinuxIO
import Quantities
import TestSupport

/// A caster that answers each connection by the test's script.
struct ScriptedCaster {
  static let frames = RTCM3Frames.checked

  /// The head of a stream of revision 2.
  static let chunkedHead =
    "HTTP/1.1 200 OK\r\nNtrip-Version: Ntrip/2.0\r\nServer: Test\r\nContent-Type: gnss/data\r\n"
    + "Transfer-Encoding: chunked\r\n\r\n"

  /// A chunk with some bytes.
  static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + Array(bytes) + Array("\r\n".utf8)
  }

  /// A list with two stations, one for a rover that sends its position, and one in RTCM 2.
  static let table = """
    CAS;caster.example;2101;Test;Nobody;0;DEU;50.12;8.69;0.0.0.0;0;x\r
    NET;EUREF;EUREF;B;N;https://example.org;none;x;none\r
    STR;NORTH;Oslo;RTCM 3.2;1005(1),1077(1);2;GPS+GLO+GAL;EUREF;NOR;59.91;10.75;0;0;Test;none;B;N;9600;x\r
    STR;SOUTH;Bern;RTCM 3.3;1006(5),1074(1);2;GPS;EUREF;CHE;46.95;7.44;0;0;Test;none;N;N;4800;x\r
    STR;VRS;Bern;RTCM 3.3;1006(5),1074(1);2;GPS;EUREF;CHE;46.95;7.44;1;1;Test;none;B;Y;4800;x\r
    STR;OLD;Bern;RTCM 2.3;1(1);1;GPS;EUREF;CHE;46.95;7.44;0;0;Test;none;N;N;4800;x\r
    STR;QUOTED;"a;b";RTCM 3;;;GPS;;;;;0\r
    ENDSOURCETABLE\r

    """

  /// The requests that have arrived, in their order.
  let requests = Locked<[String]>([])
  private let server: ScriptedServer

  /// - Parameter script: Serves a client, with its request and the connection's number from 0.
  /// - Throws: Where no port is available.
  init(
    _ script: @escaping @Sendable (ScriptedServer.Client, String, Int) -> Void
  ) throws {
    server = try ScriptedServer { [requests] client, number in
      guard let request = client.text(until: "\r\n\r\n") else { return }
      requests.withLock { $0.append(request) }
      script(client, request, number)
    }
  }

  /// The caster as a source.
  func source(
    _ mountPoint: NTRIPSource.MountPoint? = .named("BASE"),
    _ adjust: (inout NTRIPSource) -> Void = { _ in }
  ) -> NTRIPSource {
    var source = NTRIPSource(host: "127.0.0.1", port: Int(server.port), mountPoint: mountPoint)
    adjust(&source)
    return source
  }

  func stop() { server.stop() }
}

/// Collects what a session delivers.
final class Collector: CorrectionConsumer, Sendable {
  private struct State {
    var frames: [[UInt8]] = []
    var states: [CorrectionState] = []
    var fix: Fix?
    var isStopped = false
  }
  private let state = Waitable(State())

  var isStopped: Bool { state.read { $0.isStopped } }
  var newestFix: Fix? { state.read { $0.fix } }
  var frames: [[UInt8]] { state.read { $0.frames } }
  var states: [CorrectionState] { state.read { $0.states } }

  /// The faults, in their order.
  var faults: [CorrectionFault] {
    states.compactMap { if case .waiting(let fault, _) = $0 { fault } else { nil } }
  }

  func stop() { state.withLock { $0.isStopped = true } }
  func waitForStop(atMost seconds: Double) {
    state.wait(atMost: seconds) { $0.isStopped ? () : nil }
  }
  func receive(type: Int?, frame: [UInt8]) { state.withLock { $0.frames.append(frame) } }
  func report(_ new: CorrectionState) { state.withLock { $0.states.append(new) } }

  /// Sets the receiver's position, as if just received.
  func place(latitude: Double, longitude: Double) {
    var fix = Fix(timestamp: MonotonicClock.now, kind: .threeDimensional)
    fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    fix.altitudeMetres = 500
    fix.satellitesUsed = 9
    state.withLock { $0.fix = fix }
  }
}

/// A session on its own thread, which ends with this object.
final class RunningSession: Sendable {
  let collector: Collector
  private let hasEnded = Waitable(false)

  /// With delays of hundredths of a second.
  init(
    _ source: Board.CorrectionSource, _ collector: Collector = Collector(),
    refusals: RetryDelay = RetryDelay(first: 0.02, longest: 0.1)
  ) {
    self.collector = collector
    let delays = CorrectionDelays(
      usual: RetryDelay(first: 0.02, longest: 0.1), refusals: refusals)
    let thread = Thread { [hasEnded] in
      CorrectionSession(source, for: collector, delays: delays).run()
      hasEnded.withLock { $0 = true }
    }
    thread.start()
  }

  /// Stops it; false where it does not end.
  func stop(within seconds: Double = 30) -> Bool {
    collector.stop()
    return hasEnded.wait(atMost: seconds) { $0 ? true : nil } ?? false
  }

  deinit { collector.stop() }
}

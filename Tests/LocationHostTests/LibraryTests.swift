import CLodestar
import HostClient
import LinuxIO
import Quantities
import ScriptedSource
import TestSupport
import Testing

/// The functions of lodestar.h beside a daemon with a scripted source.
@Suite("The library for C", .timeLimit(.minutes(30)))
struct LibraryTests {
  /// A program's connection.
  private final class Board {
    let connection: OpaquePointer?

    init(_ rig: ServiceRig) {
      connection = lodestar_open("org.example.library", rig.configuration.socketPath)
    }

    deinit { lodestar_close(connection) }

    func heading() -> (result: Int32, lodestar_heading) {
      var heading = lodestar_heading()
      heading.size = MemoryLayout<lodestar_heading>.size
      return (lodestar_read_heading(connection, &heading), heading)
    }

    func fix() -> (result: Int32, lodestar_fix) {
      var fix = lodestar_fix()
      fix.size = MemoryLayout<lodestar_fix>.size
      return (lodestar_read_fix(connection, &fix), fix)
    }
  }

  private static func estimate(_ number: Int) -> Estimate {
    var e = Estimate.fix(latitude: 48.5, longitude: 11.25, at: Double(number + 1) * 0.1)
    e.utc = UTCTime(secondsSince1970: 1_782_944_130 + Double(number) * 0.1)
    e.trueHeading = TrueHeading(Angle(degrees: 85))
    e.magneticHeading = MagneticHeading(Angle(degrees: 80))
    e.headingAccuracy = Angle(degrees: 2.5)
    (e.headingState, e.positionState) = (.live, .live)
    return e
  }

  private static var error: String { String(cString: lodestar_error()) }

  @Test("heading and fix are the newest, unknown values are not numbers, and a wait has one end")
  func values() throws {
    let rig = try ServiceRig()
    let board = Board(rig)
    #expect(board.connection != nil)
    #expect(
      eventually {
        rig.publisher.send(Self.estimate(0))
        return lodestar_wait(board.connection, 50) == 1 && board.fix().result == 0
      })
    let (_, heading) = board.heading()
    #expect(heading.state == Int32(LODESTAR_LIVE) && heading.is_simulated == 0)
    #expect(abs(heading.from_true - 85) < 1e-9 && abs(heading.from_magnetic - 80) < 1e-9)
    #expect(abs(heading.magnetic_accuracy - 2.5) < 1e-9)
    #expect(heading.true_accuracy.isNaN && heading.pitch.isNaN && heading.roll.isNaN)
    let (_, fix) = board.fix()
    #expect(fix.state == Int32(LODESTAR_LIVE))
    #expect(abs(fix.latitude - 48.5) < 1e-9 && abs(fix.longitude - 11.25) < 1e-9)
    #expect(fix.course.isNaN && fix.utc != 0)
    while lodestar_wait(board.connection, 100) == 1 {}
    #expect(lodestar_wait(board.connection, 0) == 0)
    rig.daemon.stop()
  }

  @Test("lost sources have no old value, and an ended daemon has its error and returns")
  func losses() throws {
    let rig = try ServiceRig()
    let board = Board(rig)
    let isLive = {
      eventually {
        rig.publisher.send(Self.estimate(0))
        return board.fix().result == 0 && board.fix().1.state == Int32(LODESTAR_LIVE)
      }
    }
    #expect(isLive())
    var lost = Self.estimate(1)
    (lost.headingState, lost.positionState) = (.lost, .lost)
    #expect(
      eventually {
        rig.publisher.send(lost)
        return board.heading().1.state == Int32(LODESTAR_LOST)
      })
    #expect(board.heading().1.from_true.isNaN && board.fix().1.latitude.isNaN)
    #expect(board.fix().1.utc == 0)
    rig.daemon.stop()
    #expect(eventually { board.heading().result == Int32(LODESTAR_ERROR_NO_DAEMON) })
    #expect(Self.error.contains(rig.configuration.socketPath))
    try rig.restart()
    #expect(isLive())
    rig.daemon.stop()
  }

  @Test("wrong arguments have an error and a text, and a later caller keeps what it has beyond")
  func arguments() throws {
    #expect(lodestar_abi() == Int32(LODESTAR_ABI))
    #expect(lodestar_open("", nil) == nil && Self.error == "the application has no name")
    #expect(lodestar_open("a", "/nonexistent/s") == nil && Self.error.contains("/nonexistent/s"))
    #expect(lodestar_wait(nil, 0) == Int32(LODESTAR_ERROR_ARGUMENT))
    let rig = try ServiceRig()
    let board = Board(rig)
    #expect(lodestar_read_fix(board.connection, nil) == Int32(LODESTAR_ERROR_ARGUMENT))
    var heading = lodestar_heading()
    #expect(lodestar_read_heading(board.connection, &heading) == Int32(LODESTAR_ERROR_ARGUMENT))
    #expect(Self.error.contains("'size' is 0"))
    heading.size = MemoryLayout<lodestar_heading>.size
    let result = lodestar_read_heading(board.connection, &heading)
    #expect(result == Int32(LODESTAR_ERROR_NO_DATA) || result == 0)
    rig.daemon.stop()
  }

  @Test("a policy that denies gives no position")
  func policy() throws {
    let rig = try ServiceRig(
      policy: "applications: {org.example.library: {authorization: denied}}\n")
    let board = Board(rig)
    #expect(eventually { board.fix().result == Int32(LODESTAR_ERROR_ACCESS) })
    rig.daemon.stop()
  }
}

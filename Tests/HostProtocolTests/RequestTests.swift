import Foundation
import HostClient
import HostProtocol
import Monitoring
import Quantities
import TestSupport
import Testing

@Suite("Requests that the host refuses or does not answer", .timeLimit(.minutes(30)))
struct RequestTests {
  @Test("the begin of a calibration fails, and is taken back, after five seconds without an answer")
  func calibration() throws {
    let host = FixedHost(fault: nil)
    let client = HostClient(application: "org.example.app", host: host)
    let answers = Collected<HostFault?>()
    let begin = ContinuousClock.now
    client.beginCalibration { answers.add($0) }
    #expect(eventually { answers.all.map { $0?.code } == [.other] })
    #expect(ContinuousClock.now - begin >= .seconds(5))
    #expect(host.orders.all == [.begin(use: nil), .cancel])
    client.stop()
  }

  @Test(
    "a lasting refusal of a command is reported to its sender",
    arguments: [HostFault.Code.access, .bluetooth, .tooLong])
  func refusal(_ code: HostFault.Code) throws {
    let fault = HostFault(code, "refused")
    let client = HostClient(application: "org.example.app", host: FixedHost(fault: fault))
    let faults = Collected<HostFault>()
    client.monitoring.perform(.openMonitor(name: "m")) { faults.add($0) }
    #expect(eventually { faults.all == [fault] })
    client.stop()
  }

  @Test("a command that no host can read is reported to its sender")
  func unreadable() throws {
    let client = HostClient(application: "org.example.app", host: FixedHost(fault: nil))
    let faults = Collected<HostFault>()
    let name = String(repeating: "x", count: LineLimit.request)
    client.monitoring.perform(.openMonitor(name: name)) { faults.add($0) }
    #expect(faults.all.map(\.code) == [.tooLong])
    client.stop()
  }
}

/// A host that refuses every monitoring command, or answers none, and answers no other request.
private final class FixedHost: InProcessHost {
  private let fault: HostFault?
  /// The calibration orders that it received.
  let orders = Collected<CalibrationOrder>()

  init(fault: HostFault?) { self.fault = fault }

  func connect(_ deliver: @escaping @Sendable (HostMessage) -> Void) -> any HostConnection {
    Connection(fault: fault, orders, deliver)
  }

  private final class Connection: HostConnection {
    private let fault: HostFault?
    private let orders: Collected<CalibrationOrder>
    private let deliver: @Sendable (HostMessage) -> Void

    init(
      fault: HostFault?, _ orders: Collected<CalibrationOrder>,
      _ deliver: @escaping @Sendable (HostMessage) -> Void
    ) {
      (self.fault, self.orders, self.deliver) = (fault, orders, deliver)
    }

    func send(_ message: ClientMessage) {
      switch message {
      case .hello:
        deliver(
          .welcome(
            HostWelcome(
              version: 2, pid: getpid(), source: SourceDescription(),
              access: GrantedAccess(authorization: .always, accuracy: .full), calibration: nil,
              lastFix: nil)))
      case .monitor(let id, _):
        if let fault { deliver(.done(id: id, fault)) }
      case .calibrate(_, let order): orders.add(order)
      default: break
      }
    }

    func close() {}
  }
}

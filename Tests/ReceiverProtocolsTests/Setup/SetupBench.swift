import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Runs a set-up against an emulated receiver, with a clock that advances from step to step. Bytes
/// at another baud rate than the receiver's are lost.
struct SetupBench<Receiver: EmulatedReceiver> {
  var receiver: Receiver
  var speed: Int
  var now = Timestamp(nanoseconds: 1_000_000_000)

  init(_ receiver: Receiver) {
    self.receiver = receiver
    speed = receiver.baud
  }

  /// Runs until the set-up rests, at most so many seconds.
  mutating func run(_ setup: inout ReceiverSetup, seconds: Double = 200) {
    let end = now.advanced(bySeconds: seconds)
    while now < end {
      switch setup.next(at: now) {
      case .send(let bytes):
        guard receiver.baud == speed else { continue }
        for burst in receiver.answers(to: bytes) {
          now = now.advanced(byNanoseconds: 5_000_000)
          deliver(burst, to: &setup)
        }
      case .wait(let until):
        // The output of the receiver comes meanwhile.
        now = min(max(now, until), now.advanced(byNanoseconds: 50_000_000))
        let seconds = Double(now.nanoseconds) * 1e-9
        if let burst = receiver.output(at: seconds) { deliver(burst, to: &setup) }
      case .changeSpeed(let new): speed = new
      case .rest: return
      }
    }
    Issue.record("the set-up does not end")
  }

  private func deliver(_ burst: (bytes: [UInt8], baud: Int), to setup: inout ReceiverSetup) {
    guard burst.baud == speed else { return }
    burst.bytes.withUnsafeBytes { setup.receive($0, at: now) }
  }

  /// A set-up of these settings, run to its end.
  mutating func run(
    _ settings: ReceiverSettings, task: ReceiverSetup.Task = .apply,
    earlier: ReceiverOriginals = ReceiverOriginals(), identity: String? = nil
  ) -> ReceiverSetup {
    var setup = ReceiverSetup(
      settings, task: task, port: .uart1, speed: speed, earlier: earlier,
      earlierIdentity: identity)
    run(&setup)
    return setup
  }
}

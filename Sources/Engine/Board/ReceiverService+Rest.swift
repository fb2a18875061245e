import Bus
import Quantities
import ReceiverProtocols

/// How the receiver of a serial line is put to sleep and woken.
extension ReceiverService {
  /// A receiver that was woken listens after this, ns.
  private static let wakingTime: UInt64 = 1_000_000_000

  /// Puts the receiver to sleep, or wakes it, as it is due; true while nothing must go down the line.
  mutating func isResting(_ wake: inout Timestamp) throws(BusError) -> Bool {
    let now = hardware.now
    let state = rest.state(at: now)
    guard state.isAsleep, !queue.isStopped else {
      if sleeper.isTold { try rouse() }
      guard now < awake else { return false }
      wake = min(wake, awake)
      return true
    }
    if sleeper.isTold, let remaining = state.remaining {
      wake = min(wake, now.advanced(byNanoseconds: UInt64(remaining * 1e9)))
    }
    if session == nil { session = asker?() }
    let isBusy = session?.isBusy == true || coming != nil || !outbox.isEmpty
    // Without a word from it, or at its own USB, it is only heard less.
    guard !isBusy || sleeper.isTold, let session, let version = session.version,
      !session.isOverUSB
    else { return false }
    if let command = sleeper.sleep(at: now, remaining: state.remaining, version) {
      hasSlept = true
      outbox.put(command.bytes)
    }
    if sleeper.isDisobedient, sleeper.isTold {
      _ = sleeper.wake()
      monitor.notice(
        "\(port.name): the receiver does not go to sleep when told; its fixes are passed over")
    }
    return sleeper.isTold
  }

  /// Wakes the receiver and begins its set-up anew: what it was told it may have forgotten.
  mutating func rouse() throws(BusError) {
    guard let bytes = sleeper.wake() else { return }
    let now = hardware.now
    outbox.put(bytes)
    awake = now.advanced(byNanoseconds: Self.wakingTime)
    sound = (sound.count, awake)
    try outbox.flush(to: port) { nil }
    let speed = port.baud
    session?.begin(speed: speed)
  }

  /// Writes what waits, but no correction, and reads.
  mutating func pass(until wake: Timestamp) throws(BusError) {
    try outbox.flush(to: port) { nil }
    let next = outbox.isEmpty ? wake : hardware.now.advanced(byNanoseconds: Self.writeWait)
    if try read(until: min(wake, next)) > 0 { sleeper.hear(at: hardware.now) }
  }
}

import Chips
import Quantities
import Simulation

/// What a driver in steady state is measured on: data are always ready, and their source takes no
/// time.
protocol FrozenSource: AnyObject {
  /// The number of bytes and of reads since it was frozen.
  var bytesRead: Int { get }
  var reads: Int { get }
  /// Advances the clock and begins the next call of the driver.
  func beginCall(after nanoseconds: UInt64)
}

/// The bus of one emulated chip, which can be frozen: from then on data are always ready and each
/// read returns the bytes of an earlier read, so that only the driver is measured. Two sets of
/// bytes take turns, call by call: some drivers recognise a new sample by its change.
///
/// Waiting advances the clock; while frozen nothing else does.
final class FrozenBus: RegisterBus, FrozenSource {
  private(set) var bytesRead = 0
  private(set) var reads = 0

  private let emulated: EmulatedBus
  private var answers = (RegisterAnswers(), RegisterAnswers())
  private var isSecond = false
  private var call: [RegisterAnswers.Answer] = []
  private var command: UInt8 = 0
  private var frozenNow: Timestamp?

  init(_ emulated: EmulatedBus) { self.emulated = emulated }

  /// Ends a call of the driver, whose answers are kept.
  func endCall(gaveSample: Bool) {
    if isSecond {
      answers.1.record(call, gaveSample: gaveSample)
    } else {
      answers.0.record(call, gaveSample: gaveSample)
    }
    if gaveSample { isSecond.toggle() }
    call = []
  }

  /// Leaves the emulated chip.
  func freeze() {
    frozenNow = emulated.now
    (bytesRead, reads) = (0, 0)
  }

  func beginCall(after nanoseconds: UInt64) {
    wait(nanoseconds: nanoseconds)
    guard frozenNow != nil else { return }
    isSecond.toggle()
    answers.0.begin()
    answers.1.begin()
  }

  var name: String { emulated.name }
  var now: Timestamp { frozenNow ?? emulated.now }

  func wait(nanoseconds: UInt64) {
    if let now = frozenNow {
      frozenNow = now.advanced(byNanoseconds: nanoseconds)
    } else {
      emulated.wait(nanoseconds: nanoseconds)
    }
  }

  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    guard frozenNow != nil else {
      try emulated.read(register, of: address, into: bytes)
      call.append(
        RegisterAnswers.Answer(command: command, register: register, bytes: Array(bytes)))
      return
    }
    guard fill(bytes, from: register) else {
      throw BusError(.noAnswer, device: name, address: address)
    }
    bytesRead += bytes.count
    reads += 1
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    // A command without bytes, or the byte that starts a conversion.
    command = bytes.count == 1 ? bytes[0] : register
    if frozenNow == nil { try emulated.write(bytes, to: register, of: address) }
  }

  func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    guard frozenNow != nil else {
      try emulated.receive(into: bytes, from: address)
      call.append(RegisterAnswers.Answer(command: command, register: 0, bytes: Array(bytes)))
      return
    }
    guard fill(bytes, from: 0) else {
      throw BusError(.noAnswer, device: name, address: address)
    }
    bytesRead += bytes.count
    reads += 1
  }

  /// By the present set, else by the other, which has what is read seldom; if need be by another
  /// command's answer.
  private func fill(_ bytes: UnsafeMutableRawBufferPointer, from register: UInt8) -> Bool {
    fill(bytes, from: register, after: command) || fill(bytes, from: register, after: nil)
  }

  private func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from register: UInt8, after command: UInt8?
  ) -> Bool {
    if isSecond, answers.1.fill(bytes, from: register, after: command) { return true }
    return answers.0.fill(bytes, from: register, after: command)
      || answers.1.fill(bytes, from: register, after: command)
  }

  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    try emulated.receive(from: address)
  }
}

import Chips
import Quantities
import Simulation

/// The bus of one emulated chip, which can be frozen: from then on data are always ready and each read
/// returns the bytes of an earlier read, so that only the driver is measured.
///
/// Waiting advances the clock; while frozen nothing else does.
final class FrozenBus: RegisterBus {
  /// The number of bytes and of reads since the freezing.
  private(set) var bytesRead = 0
  private(set) var reads = 0

  private let emulated: EmulatedBus
  private var answers = RegisterAnswers()
  private var call: [RegisterAnswers.Answer] = []
  private var command: UInt8 = 0
  private var frozenNow: Timestamp?

  init(_ emulated: EmulatedBus) { self.emulated = emulated }

  /// Ends a call of the driver, whose answers are kept.
  func endCall(gaveSample: Bool) {
    answers.note(call, gaveSample: gaveSample)
    call = []
  }

  /// Leaves the emulated chip.
  func freeze() {
    frozenNow = emulated.now
    (bytesRead, reads) = (0, 0)
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
    guard answers.fill(bytes, from: register, after: command) else {
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
    guard answers.fill(bytes, from: 0, after: command) else {
      throw BusError(.noAnswer, device: name, address: address)
    }
    bytesRead += bytes.count
    reads += 1
  }

  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    try emulated.receive(from: address)
  }
}

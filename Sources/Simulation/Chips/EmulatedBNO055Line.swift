import Quantities

/// The serial interface of an emulated BNO055.
/// - Source: Bosch BST-BNO055-DS000-14 (revision 1.4), section 4.7; Linux `bno055_ser_core.c`
///   (overruns, 30 ms).
package final class EmulatedBNO055Line: EmulatedSerialDevice {
  package let baud = 115_200
  /// The chip.
  package let chip: EmulatedBNO055
  /// Statuses with which the next commands are refused.
  package var refusals: [UInt8] = []
  /// The number of commands that were sent too fast.
  package private(set) var overruns = 0

  private var command: [UInt8] = []
  private var answers: [UInt8] = []
  private var last = Timestamp(nanoseconds: 0)

  package init(_ chip: EmulatedBNO055) { self.chip = chip }

  package func losePower(at instant: Timestamp) {
    chip.losePower(at: instant)
    (command, answers) = ([], [])
  }

  package func output(at instant: Timestamp) -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  package func receive(_ bytes: [UInt8], at instant: Timestamp) {
    let pause = instant.seconds(since: last)
    last = instant
    guard chip.acknowledges(at: instant) else { return }
    if pause > 0.03 { command = [] }
    // More than two bytes, or the next ones too soon.
    if bytes.count > 2 || (!command.isEmpty && pause < 0.001) {
      overruns += 1
      command = []
      answers += [0xEE, 0x07]
      return
    }
    command += bytes
    guard command[0] == 0xAA else {
      command = []
      answers += [0xEE, 0x06]
      return
    }
    guard command.count >= 4 else { return }
    let (isRead, register, count) = (command[1] == 1, command[2], Int(command[3]))
    guard isRead || command.count >= 4 + count else { return }
    let data = Array(command[4...])
    command = []
    guard refusals.isEmpty else {
      answers += [0xEE, refusals.removeFirst()]
      return
    }
    if isRead {
      var content = [UInt8](repeating: 0, count: count)
      content.withUnsafeMutableBytes { chip.read(register, into: $0, at: instant) }
      answers += [0xBB, UInt8(count)] + content
    } else {
      data.withUnsafeBytes { chip.write($0, to: register, at: instant) }
      answers += [0xEE, 0x01]
    }
  }
}

/// The health of one device of a board, for those who watch many boards.
package struct DeviceHealth: Equatable, Sendable {
  /// Kinds of devices.
  package enum Kind: String, CaseIterable, Sendable {
    /// A magnetometer, inertial unit or barometer.
    case chip
    /// A receiver of satellites.
    case receiver
    /// Another compass on a line of its own.
    case compass
  }

  package var kind: Kind
  /// Model, address and bus, or the name in the board file.
  package var name: String
  /// The bus or port.
  package var bus: String
  /// Nil while it rests because no program needs it.
  package var state: SourceState?
  /// The age of its newest sample, seconds; nil before the first.
  package var ageSeconds: Double?
  /// Samples, headings or epochs since the start.
  package var samples = 0
  /// Failed transfers, or rejected sentences, since the start.
  package var errors = 0
  /// How often it was in service again after a loss, since the start.
  package var restarts = 0
  /// Why it is lost or contradicted, in one line; nil for other states.
  package var fault: String?

  /// Makes the health of a device.
  package init(kind: Kind, name: String, bus: String, state: SourceState?) {
    (self.kind, self.name, self.bus, self.state) = (kind, name, bus, state)
  }

  /// The word of a device that rests.
  private static let resting = "resting"
  /// All words of `stateWord`.
  package static let stateWords = SourceState.allCases.map(\.rawValue) + [resting]
  /// The state in one word.
  package var stateWord: String { state?.rawValue ?? Self.resting }

  /// A key of letters, digits and `_`, the same after each start.
  package var key: String {
    let letters = name.lowercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "_"
    }
    return "\(kind.rawValue)_\(String(letters))"
  }
}

extension SourceState {
  /// The state of a device without a fault, by the age of its newest sample.
  /// - Parameters:
  ///   - age: The age, seconds; nil before the first sample.
  ///   - late: The age from which it is late, seconds.
  ///   - lost: The age from which it is lost, seconds.
  package init(age: Double?, late: Double, lost: Double) {
    self = age.map { $0 > lost ? .lost : $0 > late ? .late : .live } ?? .awaited
  }
}

/// The health of one device of a board, for the monitoring of a fleet.
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
  package static let stateWords = SourceState.allCases.map { $0.rawValue } + [resting]
  /// The state in one word.
  package var stateWord: String { state?.rawValue ?? Self.resting }

  /// A key of letters, digits and `_`, the same after each start. A name with other scripts'
  /// letters, which all become `_`, has a number of its own.
  package var key: String {
    let letters = name.lowercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "_"
    }
    let key = "\(kind.rawValue)_\(String(letters))"
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return key }
    // FNV-1a.
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(key)_\(hash)"
  }
}

extension SourceState {
  /// The ages of the newest sample from which a source is late and lost, seconds.
  package enum Age {
    /// Of a magnetometer or another compass: most report once a second or more often, and a vehicle
    /// may turn at once.
    package static let (lateField, lostField) = (1.5, 3.0)
    /// Of a receiver's fixes: late as in `PositionFilter.Parameters.briefOutage`.
    package static let (lateFix, lostFix) = (2.5, 10.0)
  }

  /// The state of a device without a fault, by the age of its newest sample.
  /// - Parameters:
  ///   - age: The age, seconds; nil before the first sample.
  ///   - late: The age from which it is late, seconds.
  ///   - lost: The age from which it is lost, seconds.
  package init(age: Double?, late: Double, lost: Double) {
    self = age.map { $0 > lost ? .lost : $0 > late ? .late : .live } ?? .awaited
  }
}

import Foundation

/// What an Apple device has and no board: declared, so that programs compile; never available, and
/// an error for what is started all the same.
enum AbsentFeature: String {
  case headphones = "headphones with sensors"
  case submersion = "a depth sensor"
  case batches = "batches of samples"
  case movementDisorder = "tremor detection"

  /// The error of handlers and delegates.
  var error: NSError {
    CMErrorNotAvailable.error(
      "\(rawValue): no board has it; ask whether it is available before starting it")
  }

  /// The access to what does not exist.
  static let authorization = CMAuthorizationStatus.denied
}

/// A value that no board measures: zero, unless a program subclasses it.
///
/// Not of Apple's: what the classes that derive from it have in common.
open class CMAbsentValue: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked: there is nothing that could change.

  /// True: the values support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a value of zero.
  public override init() { super.init() }

  /// Reads a value from an archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes nothing: all is zero.
  open func encode(with coder: NSCoder) {}

  /// Itself: a value never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

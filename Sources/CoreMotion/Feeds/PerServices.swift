internal import CoreLocation
import Foundation
internal import LinuxIO

/// What all objects of a program share that use the same services.
final class PerServices<Value: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var services: LocationServices?
    let value: Value
  }
  private let entries = Locked<[Entry]>([])

  func value(of services: LocationServices, _ make: () -> Value) -> Value {
    entries.withLock { entries in
      entries.removeAll { $0.services == nil }
      if let entry = entries.first(where: { $0.services === services }) { return entry.value }
      let value = make()
      entries.append(Entry(services: services, value: value))
      return value
    }
  }
}

extension LocationServices {
  /// Seconds that the past is kept, as on Apple's systems: seven days.
  static var historyLength: TimeInterval { 7 * 86_400 }

  /// Why the past of activities and steps cannot be given; nil where it can.
  func historyFault(from start: Date, to end: Date, isAvailable: Bool) -> NSError? {
    if !authority.authorization.isAuthorized {
      return CMErrorMotionActivityNotAuthorized.error(denial.localizedDescription)
    }
    if !isAvailable {
      return CMErrorMotionActivityNotAvailable.error(
        "no activities or steps: the source has no accelerometer")
    }
    return end < start
      ? CMErrorInvalidParameter.error("the period ends (\(end)) before it starts (\(start))") : nil
  }
}

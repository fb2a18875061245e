internal import Chips
internal import CoreLocation
import Foundation

extension LocationServices {
  /// Whether the source has sensors of a quantity for this program: none of pressure under reduced
  /// accuracy. True for a source that does not say, such as a recording.
  func measures(_ quantity: ChipModel.Quantity) -> Bool {
    guard case .success = facts(), quantity != .pressure || authority.accuracy == .fullAccuracy
    else { return false }
    return client.source.sensors?.contains(quantity.rawValue) ?? true
  }

  /// Why there are no motion data: the program may not use them, or there is no source.
  var motionFault: NSError {
    let code = authority.authorization.isAuthorized ? CMErrorNotAvailable : CMErrorNotAuthorized
    return code.error(denial.localizedDescription)
  }

  /// Whether the program may use motion data.
  var motionStatus: CMAuthorizationStatus {
    switch status {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .authorizedAlways, .authorizedWhenInUse: .authorized
    // A status of a later CoreLocation, which the installed module may be, denies.
    default: .denied
    }
  }
}

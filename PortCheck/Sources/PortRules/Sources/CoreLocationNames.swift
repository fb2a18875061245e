import Foundation
import SwiftSyntax

/// The names of the module.
enum CoreLocationNames {
  /// Those that do not begin with `CLLocation`, `kCL`, `CLBeacon` or `CLMonitor`, as
  /// developer.apple.com/documentation/corelocation lists them.
  private static let others: Set<String> = [
    "CLAccuracyAuthorization", "CLActivityType", "CLAuthorizationStatus",
    "CLBackgroundActivitySession", "CLBodyIdentifiable", "CLCircularGeographicCondition",
    "CLCircularRegion", "CLCondition", "CLDeviceOrientation", "CLError", "CLFloor",
    "CLGeocodeCompletionHandler", "CLGeocoder", "CLHeading", "CLHeadingComponentValue",
    "CLPlacemark", "CLProximity", "CLRegion", "CLRegionState", "CLServiceSession",
    "CLTimeIntervalMax", "CLVisit",
  ]

  static func contain(_ name: String) -> Bool {
    ["CLLocation", "kCL", "CLBeacon", "CLMonitor"].contains { name.hasPrefix($0) }
      // A button is CoreLocationUI's.
      && name != "CLLocationButton" || others.contains(name)
  }

  /// False where a text surely names nothing of the module: every name has one of these.
  static func mayBeUsed(in text: String) -> Bool {
    text.range(of: "CL") != nil || text.range(of: "CoreLocation") != nil
  }

  /// True where a node names something of the module, or imports it.
  static func isUsed(in node: some SyntaxProtocol) -> Bool {
    node.tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier(let name) = token.tokenKind else { return false }
      return contain(name) || name == "CoreLocation" && isImport(token)
    }
  }

  private static func isImport(_ token: TokenSyntax) -> Bool {
    token.parent?.is(ImportPathComponentSyntax.self) ?? false
  }
}

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
      // The button belongs to CoreLocationUI.
      && name != "CLLocationButton" || others.contains(name)
  }

  /// Methods that only the manager has.
  private static let methods: Set<String> = [
    "requestWhenInUseAuthorization", "requestAlwaysAuthorization",
    "requestTemporaryFullAccuracyAuthorization", "startUpdatingLocation", "stopUpdatingLocation",
    "requestLocation", "startUpdatingHeading", "stopUpdatingHeading",
    "dismissHeadingCalibrationDisplay", "startMonitoringSignificantLocationChanges",
    "stopMonitoringSignificantLocationChanges", "startMonitoringVisits", "stopMonitoringVisits",
    "allowDeferredLocationUpdates", "disallowDeferredLocationUpdates", "startRangingBeacons",
    "stopRangingBeacons", "allowsBackgroundLocationUpdates",
    "pausesLocationUpdatesAutomatically",
  ]

  /// True where a node names something of the module or of its manager.
  static func isUsedOrCalled(in node: some SyntaxProtocol) -> Bool {
    isUsed(in: node)
      || node.tokens(viewMode: .sourceAccurate).contains { token in
        if case .identifier(let name) = token.tokenKind { methods.contains(name) } else { false }
      }
  }

  /// False where a text certainly contains no name of the module: every name has one of these
  /// parts.
  static func mayBeUsed(in text: String) -> Bool {
    text.contains("CL") || text.contains("CoreLocation")
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

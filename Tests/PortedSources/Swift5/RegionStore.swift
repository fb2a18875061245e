// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// Regions, beacons and visits, as in iOS apps and their mocks.
public final class RegionStore {
  public private(set) var regions: Set<CLRegion> = []

  public init() {}

  public func add(_ region: CLRegion, onEntry: Bool = true, onExit: Bool = true) {
    region.notifyOnEntry = onEntry
    region.notifyOnExit = onExit
    regions.remove(region)
    regions.insert(region)
  }

  public func names(containing coordinate: CLLocationCoordinate2D) -> [String] {
    regions.compactMap { $0 as? CLCircularRegion }.filter { $0.contains(coordinate) }
      .map { $0.identifier }.sorted()
  }

  public func save() throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: Array(regions) as NSArray, requiringSecureCoding: true)
  }

  public static func text(_ state: CLRegionState) -> String {
    switch state {
    case .inside: return "inside"
    case .outside: return "outside"
    case .unknown: return "unknown"
    }
  }

  public static func text(_ proximity: CLProximity) -> String {
    switch proximity {
    case .immediate: return "immediate"
    case .near: return "near"
    case .far: return "far"
    case .unknown: return "unknown"
    @unknown default: return "other"
    }
  }
}

public func officeRegion(uuid: UUID) -> CLBeaconRegion {
  let major: CLBeaconMajorValue = 5
  let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: 88)
  let region = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "office")
  region.notifyEntryStateOnDisplay = true
  return region
}

public func advertisement(of region: CLBeaconRegion) -> [String: Any]? {
  let data: NSMutableDictionary = region.peripheralData(withMeasuredPower: nil)
  return (data as NSDictionary) as? [String: Any]
}

open class MutableVisit: CLVisit, @unchecked Sendable {
  private var arrival: Date
  open override var arrivalDate: Date {
    get { arrival }
    set { arrival = newValue }
  }
  public init(arrival: Date) {
    self.arrival = arrival
    super.init()
  }
  public required init?(coder: NSCoder) { nil }
}

open class MutableBeacon: CLBeacon, @unchecked Sendable {
  private var strength: Int
  open override var rssi: Int {
    get { strength }
    set { strength = newValue }
  }
  open override var major: NSNumber { 12 }
  public init(rssi: Int) {
    strength = rssi
    super.init()
  }
  public required init?(coder: NSCoder) { nil }
}

// The asynchronous interface in a class of the Swift 5 mode, with the name of iOS 17.
public final class SpeedModel: ObservableSpeed {
  public private(set) var speed: CLLocationSpeed = -1
  public private(set) var isStill = false
  private var task: Task<Void, Never>?

  public init() {}

  @available(*, deprecated, message: "Reads isStationary, as apps for iOS 17 do")
  public func begin() {
    task = Task { @MainActor in
      do {
        for try await update in CLLocationUpdate.liveUpdates(.automotiveNavigation) {
          guard let location = update.location else { continue }
          self.speed = location.speed
          self.isStill = update.isStationary
        }
      } catch {
        self.speed = -1
      }
    }
  }

  public func end() {
    task?.cancel()
    task = nil
  }
}

public protocol ObservableSpeed: AnyObject { var speed: CLLocationSpeed { get } }

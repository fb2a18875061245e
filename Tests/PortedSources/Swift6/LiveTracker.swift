// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// A view model of live updates with helpers, as in iOS 17 and 18 apps.
@MainActor
public final class LiveTracker {
  public enum Notice: Equatable, Sendable {
    case denied, restricted, asking, unavailable, areaOnly, none
  }

  public private(set) var lastLocation = CLLocation()
  public private(set) var count = 0
  public private(set) var isStationary = false
  public private(set) var notice = Notice.none
  public var updatesStarted = false
  public var backgroundActivity = false {
    didSet {
      if backgroundActivity {
        background = CLBackgroundActivitySession()
      } else {
        background?.invalidate()
        background = nil
      }
    }
  }

  private var background: CLBackgroundActivitySession?
  private var session: CLServiceSession?

  public init() {}

  public func startLocationUpdates() {
    session = CLServiceSession(authorization: .whenInUse)
    updatesStarted = true
    Task {
      do {
        let updates = CLLocationUpdate.liveUpdates(.fitness)
        for try await update in updates {
          if !self.updatesStarted { break }
          self.notice = Self.notice(update)
          if let location = update.location {
            self.lastLocation = location
            self.isStationary = update.stationary
            self.count += 1
          }
        }
      } catch {
        self.notice = .unavailable
      }
    }
  }

  public func stopLocationUpdates() {
    updatesStarted = false
    session?.invalidate()
  }

  private static func notice(_ update: CLLocationUpdate) -> Notice {
    if update.authorizationDenied || update.authorizationDeniedGlobally { return .denied }
    if update.authorizationRestricted { return .restricted }
    if update.authorizationRequestInProgress { return .asking }
    if update.accuracyLimited { return .areaOnly }
    if update.insufficientlyInUse || update.serviceSessionRequired { return .denied }
    return update.locationUnavailable ? .unavailable : .none
  }
}

public enum LocationError: Error { case denied, unavailable }

public struct CurrentPlace: Sendable {
  public init() {}

  public func coordinate() async throws -> CLLocationCoordinate2D {
    let session = CLServiceSession(authorization: .whenInUse)
    defer { session.invalidate() }
    for try await update in CLLocationUpdate.liveUpdates() {
      if let location = update.location { return location.coordinate }
      if update.authorizationDenied || update.authorizationRestricted { throw LocationError.denied }
    }
    throw LocationError.unavailable
  }

  public func first() async -> CLLocation? {
    do {
      let updates = CLLocationUpdate.liveUpdates(.maritime)
      return try await updates.first { $0.location?.coordinate != nil }?.location
    } catch {
      return nil
    }
  }

  public func stream(
    _ configuration: CLLocationUpdate.LiveConfiguration
  ) -> AsyncThrowingStream<CLLocation, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let locations = CLLocationUpdate.liveUpdates(configuration).compactMap { $0.location }
          for try await location in locations { continuation.yield(location) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

public func hasFullAccess() async throws -> Bool {
  let session = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "Navigation")
  for try await diagnostic in session.diagnostics {
    if diagnostic.authorizationRequestInProgress { continue }
    return !diagnostic.authorizationDenied && !diagnostic.authorizationDeniedGlobally
      && !diagnostic.authorizationRestricted && !diagnostic.alwaysAuthorizationDenied
      && !diagnostic.fullAccuracyDenied && !diagnostic.insufficientlyInUse
      && !diagnostic.serviceSessionRequired
  }
  return false
}

import Quantities

extension Geoid {
  /// Adds the missing altitude to a fix with one of the two; a fix with both, none, or no position
  /// is unchanged.
  ///
  /// A known vertical accuracy is then valid for both altitudes: it increases by
  /// `separationErrorMetres`.
  public func complete(_ fix: inout Fix) {
    guard fix.lacksOneAltitude, let position = fix.position,
      let separation = separationMetres(at: position)
    else { return }
    fix.completeAltitudes(
      separationMetres: separation, errorMetres: Self.separationErrorMetres)
  }
}

extension Fix {
  /// True if one altitude was computed from the other.
  package var lacksOneAltitude: Bool {
    (altitudeMetres == nil) != (ellipsoidalAltitudeMetres == nil)
  }

  /// Computes the missing altitude from the other one.
  /// - Parameters:
  ///   - separationMetres: mean sea level above the ellipsoid.
  ///   - errorMetres: one sigma of the separation.
  package mutating func completeAltitudes(separationMetres: Double, errorMetres: Double) {
    guard lacksOneAltitude else { return }
    if let sea = altitudeMetres {
      ellipsoidalAltitudeMetres = sea + separationMetres
    } else if let ellipsoidal = ellipsoidalAltitudeMetres {
      altitudeMetres = ellipsoidal - separationMetres
    }
    verticalAccuracyMetres = verticalAccuracyMetres.map {
      ($0 * $0 + errorMetres * errorMetres).squareRoot()
    }
  }
}
